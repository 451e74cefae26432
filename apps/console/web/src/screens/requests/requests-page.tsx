import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';

import { curlOf } from '../../api/curl.js';
import { refreshMs } from '../../api/refresh.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { clockTime } from '../../ui/time-in-words.js';
import { useMay, useProject } from '../project/use-project.js';
import { WaitingRequests } from './empty.js';
import { Filters } from './filters.js';
import { pathOf, requestsQuery } from './queries.js';
import { RequestsView } from './requests-view.js';
import { type ChangeSearch, readSearch } from './search.js';
import { useFeed } from './use-feed.js';

/** The last requests of a project: who asked for what, with which result, as it happens. */
export function RequestsPage(): ReactNode {
  const { name } = useProject();
  useTitle(`Requests of ${name}`);
  if (useMay('audit.read')) return <Requests />;
  return (
    <Notice kind="plain">
      Requests are shown to operators with the capability audit.read. Ask an owner of the
      organization.
    </Notice>
  );
}

function Requests(): ReactNode {
  const { ref } = useProject();
  const search = readSearch(useSearch({ from: '/signed-in/projects/$ref/requests' }));
  const navigate = useNavigate({ from: '/projects/$ref/requests' });
  const setSearch: ChangeSearch = (change, { isTyped = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: isTyped,
      resetScroll: false,
    });
  const isLive = search.live !== 'off';
  const problem = useFeed(ref, isLive);
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...requestsQuery(ref, search.list),
    // Without the feed, the list is read again.
    refetchInterval: problem === undefined ? false : refreshMs,
  });
  return (
    <>
      <header className="flex flex-wrap items-center gap-2 pb-5">
        <div className="mr-auto grid min-w-0 flex-1 gap-0.5">
          <h1 className="text-[22px] leading-tight font-semibold">Requests</h1>
          <p className="text-[14px] text-soft">
            The last requests of clients, the newest first, without values and bodies.
          </p>
        </div>
        <CopyButton text={curlOf({ path: pathOf(ref, search.list) })} what="as curl: this list">
          Copy as curl
        </CopyButton>
        <Button
          aria-pressed={isLive}
          className={isLive ? 'text-accent' : ''}
          onClick={() => setSearch({ live: isLive ? 'off' : undefined })}
        >
          {isLive ? (
            <Pause aria-hidden className="size-3.5" />
          ) : (
            <Play aria-hidden className="size-3.5" />
          )}
          Live
        </Button>
      </header>
      <Filters search={search} onSearch={setSearch} />
      {isLive && problem !== undefined && !error && (
        <div className="pb-3">
          <ProblemNotice
            of={problem}
            effect="The list does not follow the requests. It is read again every 15 seconds."
          />
        </div>
      )}
      {error && (
        <div className="pb-3">
          <ProblemNotice
            of={error}
            {...(data && {
              effect: `The list could not be read again. It shows the state of ${clockTime(dataUpdatedAt)}.`,
            })}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !error && <WaitingRequests />}
      {data && (
        <RequestsView
          key={search.list ?? 'all'}
          latest={data}
          search={search}
          onSearch={setSearch}
        />
      )}
    </>
  );
}

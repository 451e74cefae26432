import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';

import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { clockTime } from '../../ui/time-in-words.js';
import type { Organization } from '../projects/queries.js';
import { NoEntries, NoMatch, WaitingEntries } from './empty.js';
import { EntryTable } from './entry-table.js';
import { ExportMenu } from './export-menu.js';
import { Filters } from './filters.js';
import { entriesQuery, type Log, maxRefreshedPages, pathOf } from './queries.js';
import { type AuditSearch, type ChangeSearch, hasFilters, noFilters } from './search.js';

const EntryDrawer = lazy(() => import('./entry-drawer.js'));

export interface AuditViewProps {
  readonly log: Log;
  readonly search: AuditSearch;
  readonly organizations: readonly Organization[];
  readonly onSearch: ChangeSearch;
  /** Where another log is chosen. */
  readonly choice: ReactNode;
}

const abouts = {
  deployment: 'What operators have changed in the whole deployment, the newest first.',
  organization: 'What operators have changed in the organization and its projects.',
  project: 'What operators have done to the project through the console, the newest first.',
  inside: 'What was changed within the project: settings, accounts, SQL, by operators and keys.',
} as const;

/** A log with its filters, page by page, and the entry that is open. */
export function AuditView(props: AuditViewProps): ReactNode {
  const { log, search, organizations, onSearch, choice } = props;
  const { data, error, dataUpdatedAt, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(entriesQuery(log, search));
  const queryClient = useQueryClient();
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const isFiltered = hasFilters(search);
  const isLive = (data?.pages.length ?? 0) <= maxRefreshedPages;
  return (
    <>
      <header className="flex flex-wrap items-center gap-2 pb-5">
        <div className="mr-auto grid min-w-0 flex-1 gap-0.5">
          <h1 className="text-[22px] leading-tight font-semibold">Audit log</h1>
          <p className="text-[14px] text-soft">{abouts[log.kind]}</p>
        </div>
        <CopyButton text={curlOf({ path: pathOf(log, search) })} what="as curl: this log">
          Copy as curl
        </CopyButton>
        <ExportMenu log={log} search={search} />
      </header>
      <Filters log={log} search={search} entries={entries} onSearch={onSearch} choice={choice} />
      {error && (
        <div className="pb-4">
          <ProblemNotice
            of={error}
            {...(data && {
              effect: `The log could not be read again. It shows the state of ${clockTime(dataUpdatedAt)}.`,
            })}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !error && <WaitingEntries />}
      {data && entries.length === 0 && !isFiltered && <NoEntries />}
      {data && entries.length === 0 && isFiltered && (
        <NoMatch onClear={() => onSearch(noFilters)} />
      )}
      {entries.length > 0 && (
        <>
          <EntryTable
            entries={entries}
            isMore={hasNextPage}
            showsProject={log.kind === 'deployment' || log.kind === 'organization'}
            onOpen={({ id }) => onSearch({ open: id })}
          />
          <div className="flex flex-wrap items-center gap-3 pt-3 text-[14px] text-soft">
            <p role="status" className="mr-auto">
              {counted(entries.length, 'entry')} shown
              {isLive ? '.' : '; new ones no longer appear by themselves.'}
            </p>
            {!isLive && (
              <Button onClick={() => void queryClient.resetQueries({ queryKey: ['audit'] })}>
                Show the newest
              </Button>
            )}
            {hasNextPage && (
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show older entries
              </Button>
            )}
          </div>
        </>
      )}
      {search.open !== undefined && (
        <Suspense>
          <EntryDrawer
            log={log}
            id={search.open}
            known={entries.find(({ id }) => id === search.open)}
            organizations={organizations}
            onSearch={onSearch}
            onClose={() => onSearch({ open: undefined })}
          />
        </Suspense>
      )}
    </>
  );
}

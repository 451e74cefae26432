import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';

import { curlOf } from '../../api/curl.js';
import { useTitle } from '../../shell/card.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { Choice } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { SearchField } from '../../ui/search-field.js';
import { Skeleton } from '../../ui/skeleton.js';
import { clockTime } from '../../ui/time-in-words.js';
import { useMay, useProject } from '../project/use-project.js';
import { Pager } from '../users/pager.js';
import { NoMatch, NoOrganizations, WaitingOrganizations } from './empty.js';
import { OrganizationTable } from './organization-table.js';
import { organizationsQuery, pathOf, perPage } from './queries.js';
import { type ChangeSearch, type OrganizationsSearch, readSearch } from './search.js';

const OrganizationDrawer = lazy(() => import('./organization-drawer.js'));

/** The organizations of the project's users. */
export function OrganizationsPage(): ReactNode {
  const { name } = useProject();
  useTitle(`Organizations of ${name}`);
  if (useMay('secrets.manage')) return <Organizations />;
  return (
    <Notice kind="plain">
      Organizations are shown to operators with the capability secrets.manage. Ask one of them.
    </Notice>
  );
}

function Organizations(): ReactNode {
  const { ref, url } = useProject();
  const search = readSearch(useSearch({ from: '/signed-in/projects/$ref/organizations' }));
  const setSearch = useSetSearch();
  const { data, error, dataUpdatedAt, refetch } = useQuery(organizationsQuery(ref, search));
  const { q, owner, page = 1, open, members = 1, invitations = 1 } = search;
  const isFiltered = q !== undefined || owner !== undefined;
  const isEmpty = data?.total === 0 && !isFiltered;
  const change: ChangeSearch = (next, how) => setSearch({ page: undefined, ...next }, how);
  return (
    <>
      <header className="flex flex-wrap items-center gap-2 pb-5">
        <div className="mr-auto flex gap-x-3 max-sm:flex-col sm:items-baseline">
          <h1 className="text-[22px] leading-tight font-semibold">Organizations</h1>
          <p role="status" className="text-[14px] text-soft">
            {data ? counted(data.total, 'organization') : <Skeleton className="w-24" />}
          </p>
        </div>
        <CopyButton text={curlOf({ path: pathOf(ref, search) })} what="as curl: this list">
          Copy as curl
        </CopyButton>
      </header>
      {!isEmpty && (
        <div className="grid grid-cols-2 gap-2 pb-4 sm:flex sm:flex-wrap sm:items-center">
          <SearchField
            label="Search organizations"
            placeholder="Name, slug or id"
            value={q}
            onChange={(text) => change({ q: text }, { isTyped: true })}
          />
          <Choice
            label="Owners"
            isBare
            className="w-full sm:w-auto"
            value={owner ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change(readSearch({ ...search, page: undefined, owner: value }))
            }
          >
            <option value="">Any owners</option>
            <option value="none">Without an owner</option>
          </Choice>
        </div>
      )}
      {error && (
        <div className="pb-4">
          <ProblemNotice
            of={error}
            {...(data && {
              effect: `The list could not be refreshed. It shows the state of ${clockTime(dataUpdatedAt)}.`,
            })}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !error && <WaitingOrganizations />}
      {isEmpty && <NoOrganizations url={url} />}
      {data?.total === 0 && isFiltered && (
        <NoMatch onClear={() => change({ q: undefined, owner: undefined })} />
      )}
      {data && data.total > 0 && (
        <>
          <OrganizationTable
            organizations={data.organizations}
            total={data.total}
            first={(page - 1) * perPage + 1}
            onOpen={({ id }) => setSearch({ open: id })}
          />
          <Pager
            page={page}
            perPage={perPage}
            total={data.total}
            onPage={(next) => setSearch({ page: next > 1 ? next : undefined })}
          />
        </>
      )}
      {open !== undefined && (
        <Suspense>
          <OrganizationDrawer
            // Another one shows nothing of the one before while it is read.
            key={open}
            id={open}
            page={members}
            onPage={(next) => setSearch({ members: next > 1 ? next : undefined })}
            invitationsPage={invitations}
            onInvitationsPage={(next) => setSearch({ invitations: next > 1 ? next : undefined })}
            onClose={() =>
              setSearch({ open: undefined, members: undefined, invitations: undefined })
            }
          />
        </Suspense>
      )}
    </>
  );
}

/** Changes some parameters of the address. */
function useSetSearch(): ChangeSearch {
  const navigate = useNavigate({ from: '/projects/$ref/organizations' });
  return (change: OrganizationsSearch, { isTyped = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: isTyped,
      resetScroll: false,
    });
}

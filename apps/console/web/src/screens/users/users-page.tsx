import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Mail, Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { clockTime } from '../../ui/time-in-words.js';
import { whenIdle } from '../../ui/when-idle.js';
import { useMay, useProject } from '../project/use-project.js';
import { useUserActions } from './actions.js';
import { BulkBar } from './bulk-bar.js';
import { loadDetails, loadDrawer } from './details-code.js';
import { NoMatch, NoUsers, WaitingRows } from './empty.js';
import { ExportButton } from './export-button.js';
import { Filters } from './filters.js';
import { Pager } from './pager.js';
import { pageQuery, type User, usersPerPage, usersQuery } from './queries.js';
import { isAll, readSearch, type UsersSearch } from './search.js';
import { type Task, userEntries } from './user-entries.js';
import { UserTable } from './user-table.js';

const CreateDialog = lazy(() => import('./create-dialog.js'));
const InviteDialog = lazy(() => import('./invite-dialog.js'));
const TaskDialog = lazy(() => import('./task-dialog.js'));
const UserDrawer = lazy(loadDrawer);

const noUsers: ReadonlyMap<string, User> = new Map();

/** The users of the project, for operators who may manage secrets: accounts give access to everything of a user. */
export function UsersPage(): ReactNode {
  if (useMay('secrets.manage')) return <Users />;
  return (
    <Notice kind="plain">
      Users are shown to operators who may manage secrets. Ask one of them.
    </Notice>
  );
}

/** To find users, to look into them, and to change them, one or many. */
function Users(): ReactNode {
  const project = useProject();
  const { ref } = project;
  useTitle(`Users of ${project.name}`);
  const search = useSearch({ from: '/signed-in/projects/$ref/users' });
  const setSearch = useSetSearch();
  const { data, error, dataUpdatedAt, refetch, isPlaceholderData } = useQuery(
    usersQuery(ref, search),
  );
  const actions = useUserActions(ref);
  const [selected, setSelected] = useState(noUsers);
  const [task, setTask] = useState<{ readonly kind: Task; readonly user: User }>();
  const hasUsers = data !== undefined && data.users.length > 0;
  useEffect(() => (hasUsers ? whenIdle(loadDetails) : undefined), [hasUsers]);
  const page = search.page ?? 1;
  const isEmpty = data?.total === 0 && isAll(search);
  const lastPage = Math.max(1, Math.ceil((data?.total ?? 0) / usersPerPage));
  const isBeyond = data !== undefined && !isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (isBeyond) setSearch({ page: lastPage > 1 ? lastPage : undefined });
  }, [isBeyond, lastPage, setSearch]);
  const change = (next: UsersSearch): void => {
    setSelected(noUsers);
    setSearch({ page: undefined, ...next });
  };
  const select = (users: readonly User[], isSelected: boolean): void => {
    const next = new Map(selected);
    for (const user of users) {
      if (isSelected) next.set(user.id, user);
      else next.delete(user.id);
    }
    setSelected(next);
  };
  const entriesOf = (user: User) =>
    userEntries(user, {
      actions,
      onTask: (kind) => setTask({ kind, user }),
      onOpen: () => setSearch({ open: user.id }),
    });
  return (
    <>
      <header className="flex flex-wrap items-center gap-2 pb-5">
        <div className="mr-auto flex gap-x-3 max-sm:flex-col sm:items-baseline">
          <h1 className="text-[22px] leading-tight font-semibold">Users</h1>
          <p role="status" className="text-[14px] text-soft">
            {data ? counted(data.total, 'user') : <Skeleton className="w-20" />}
          </p>
        </div>
        <CopyButton text={curlOf({ path: pathOf(ref, search) })} what="as curl: this list">
          Copy as curl
        </CopyButton>
        <Button onClick={() => setSearch({ dialog: 'invite' })}>
          <Mail aria-hidden className="size-4" />
          Invite
        </Button>
        <Button look="primary" onClick={() => setSearch({ dialog: 'create' })}>
          <Plus aria-hidden className="size-4" />
          New user
        </Button>
      </header>
      {!isEmpty && (
        <Filters
          search={search}
          providers={data?.users.flatMap(({ providers }) => providers) ?? []}
          onSearch={(q) => change({ q })}
          onFilter={(name, value) => change(readSearch({ ...search, page: 1, [name]: value }))}
        />
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
      {!data && !error && <WaitingRows />}
      {isEmpty && <NoUsers url={project.url} onCreate={() => setSearch({ dialog: 'create' })} />}
      {data && !isEmpty && data.total === 0 && (
        <NoMatch text={search.q} onClear={() => change({ ...readSearch({}), sort: search.sort })} />
      )}
      {selected.size > 0 && (
        <BulkBar
          projectRef={ref}
          users={asLastRead(selected, data?.users)}
          onClear={() => setSelected(noUsers)}
        />
      )}
      {data && data.total > 0 && (
        <>
          <UserTable
            users={data.users}
            total={data.total}
            first={(page - 1) * usersPerPage + 1}
            order={search.sort}
            selected={new Set(selected.keys())}
            onSelect={select}
            onSort={(sort) =>
              setSearch({ ...readSearch({ sort }), ...only(search), page: undefined })
            }
            onOpen={(user) => setSearch({ open: user.id })}
            entriesOf={entriesOf}
          />
          <div className="flex flex-wrap items-center gap-3">
            <div className="grow">
              <Pager
                page={page}
                perPage={usersPerPage}
                total={data.total}
                onPage={(next) => setSearch({ page: next > 1 ? next : undefined })}
              />
            </div>
            <div className="pt-3">
              <ExportButton projectRef={ref} search={search} total={data.total} />
            </div>
          </div>
        </>
      )}
      <Suspense>
        {search.dialog === 'create' && (
          <CreateDialog projectRef={ref} onClose={() => setSearch({ dialog: undefined })} />
        )}
        {search.dialog === 'invite' && (
          <InviteDialog projectRef={ref} onClose={() => setSearch({ dialog: undefined })} />
        )}
        {search.open !== undefined && !task && !search.dialog && (
          <UserDrawer
            id={search.open}
            listed={data?.users.find(({ id }) => id === search.open)}
            part={search.part}
            onPart={(part) => setSearch({ part: part === 'overview' ? undefined : part })}
            onTask={(kind, user) => setTask({ kind, user })}
            onClose={() => setSearch({ open: undefined, part: undefined })}
          />
        )}
        {task && (
          <TaskDialog
            project={project}
            kind={task.kind}
            user={task.user}
            onDeleted={() => setSearch({ open: undefined, part: undefined })}
            onClose={() => setTask(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

/** The selected users; those of the page that is shown with what was read last, such as their status. */
function asLastRead(
  selected: ReadonlyMap<string, User>,
  shown: readonly User[] = [],
): readonly User[] {
  const newer = new Map(shown.map((user) => [user.id, user]));
  return [...selected.values()].map((user) => newer.get(user.id) ?? user);
}

/** The filters of an address, without its order. */
function only({ sort: _sort, ...rest }: UsersSearch): UsersSearch {
  return rest;
}

function pathOf(ref: string, search: UsersSearch): string {
  const query = Object.entries(pageQuery(search)).map(([name, value]) => [name, String(value)]);
  return projectPath(ref, `/api/admin/users?${new URLSearchParams(query).toString()}`);
}

/** Changes some parameters of the address. Typing in the search field, which resets the page too, makes no history. */
function useSetSearch(): (change: UsersSearch) => void {
  const navigate = useNavigate({ from: '/projects/$ref/users' });
  return useCallback(
    (change) =>
      void navigate({
        search: (before) => ({ ...before, ...change }),
        replace: 'q' in change && Object.keys(change).length <= 2,
        resetScroll: false,
      }),
    [navigate],
  );
}

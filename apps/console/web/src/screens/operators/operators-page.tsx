import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { clockTime } from '../../ui/time-in-words.js';
import { pageOfOrganizations } from '../projects/queries.js';
import { Waiting } from './empty.js';
import { InvitationsTab } from './invitations-tab.js';
import type { Person, Place } from './people.js';
import { OrganizationsTab } from './organizations-tab.js';
import { PeopleTab } from './people-tab.js';
import type { Task } from './person-entries.js';
import { invitationsPerPage, membershipsPerPage, operatorsPerPage } from './queries.js';
import { type OperatorsSearch, readSearch, type Tab, tabs } from './search.js';
import { type OperatorsWorld, useWorld } from './world.js';

const MatrixTab = lazy(() => import('./matrix-tab.js'));
const InviteDialog = lazy(() => import('./invite-dialog.js'));
const PersonDrawer = lazy(() => import('./person-drawer.js'));
const RoleDialog = lazy(() => import('./role-dialog.js'));
const TaskDialog = lazy(() => import('./task-dialog.js'));

const tabNames: Readonly<Record<Tab, string>> = {
  people: 'Operators',
  access: 'Access',
  invitations: 'Invitations',
  organizations: 'Organizations',
};

/** The operators and what they may do, for operators who manage members somewhere. */
export function OperatorsPage(): ReactNode {
  useTitle('Operators');
  const { world, error, readAt, retry } = useWorld();
  const search = readSearch(useSearch({ from: '/signed-in/operators' }));
  const setSearch = useSetSearch();
  const isAllowed = world && (world.isAdmin || world.organizations.length > 0);
  return (
    <>
      <header className="flex flex-wrap items-center gap-2 pb-5">
        <div className="mr-auto flex gap-x-3 max-sm:flex-col sm:items-baseline">
          <h1 className="text-[22px] leading-tight font-semibold">Operators</h1>
          <p role="status" className="text-[14px] text-soft">
            {world ? (
              isAllowed && counted(world.people.length, 'operator')
            ) : (
              <Skeleton className="w-20" />
            )}
          </p>
        </div>
        {isAllowed && (
          <>
            <CopyButton text={curlOf({ path: pathOf(world, search) })} what="as curl: this list">
              Copy as curl
            </CopyButton>
            <Button look="primary" onClick={() => setSearch({ dialog: 'invite' })}>
              <UserPlus aria-hidden className="size-4" />
              Invite
            </Button>
          </>
        )}
      </header>
      {error !== undefined && error !== null && (
        <div className="pb-4">
          <ProblemNotice
            of={error}
            {...(world && {
              effect: `The operators could not be read again. The page shows the state of ${clockTime(readAt)}.`,
            })}
            onRetry={retry}
          />
        </div>
      )}
      {!world && !error && <Waiting />}
      {world && !isAllowed && (
        <Notice kind="plain">
          You manage the members of no organization: that needs the capability members.manage in
          one. Ask an owner of your organization.
        </Notice>
      )}
      {isAllowed && <Parts world={world} search={search} onSearch={setSearch} />}
    </>
  );
}

interface PartsProps {
  readonly world: OperatorsWorld;
  readonly search: OperatorsSearch;
  readonly onSearch: (change: OperatorsSearch) => void;
}

function Parts({ world, search, onSearch }: PartsProps): ReactNode {
  const [cell, setCell] = useState<{ readonly personId: string; readonly place: Place }>();
  const [task, setTask] = useState<{ readonly kind: Task; readonly person: Person }>();
  const personOf = (id: string | undefined): Person | undefined =>
    world.people.find((each) => each.id === id);
  const [cellPerson, opened] = [personOf(cell?.personId), personOf(search.open)];
  const shared = { world, search, onSearch };
  const openTask = (kind: Task, person: Person): void => setTask({ kind, person });
  const openRole = (person: Person, place: Place): void => setCell({ personId: person.id, place });
  const contents: Readonly<Record<Tab, ReactNode>> = {
    people: <PeopleTab {...shared} onTask={openTask} />,
    access: (
      <Suspense fallback={<Waiting />}>
        <MatrixTab {...shared} onOpen={openRole} />
      </Suspense>
    ),
    invitations: <InvitationsTab world={world} />,
    organizations: <OrganizationsTab world={world} onSearch={onSearch} />,
  };
  return (
    <>
      <Tabs
        label="Parts of the screen"
        open={tabNames[search.tab ?? 'people']}
        onOpen={(name) => {
          const tab = tabs.find((each) => tabNames[each] === name);
          onSearch({ tab: tab === 'people' ? undefined : tab });
        }}
        tabs={tabs.map((tab) => ({ name: tabNames[tab], content: contents[tab] }))}
      />
      <Suspense>
        {search.dialog === 'invite' && (
          <InviteDialog
            world={world}
            organization={search.organization}
            onClose={() => onSearch({ dialog: undefined })}
          />
        )}
        {opened && !cell && !task && (
          <PersonDrawer
            world={world}
            person={opened}
            part={search.part}
            onPart={(part) => onSearch({ part: part === 'access' ? undefined : part })}
            onRole={openRole}
            onTask={openTask}
            onClose={() => onSearch({ open: undefined, part: undefined })}
          />
        )}
        {cell && cellPerson && (
          <RoleDialog
            world={world}
            person={cellPerson}
            place={cell.place}
            onClose={() => setCell(undefined)}
          />
        )}
        {task && (
          <TaskDialog
            kind={task.kind}
            person={task.person}
            onDeleted={() => onSearch({ open: undefined, part: undefined })}
            onClose={() => setTask(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

/** What the tab lists; invitations are listed by organization. */
function pathOf({ isAdmin, organizations }: OperatorsWorld, search: OperatorsSearch): string {
  const operators = `/platform/operators?limit=${operatorsPerPage}`;
  const memberships = `/platform/memberships?limit=${membershipsPerPage}`;
  const { tab = 'people' } = search;
  switch (tab) {
    case 'people':
      return isAdmin ? operators : memberships;
    case 'access':
      return memberships;
    case 'invitations': {
      const chosen = organizations.find(({ id }) => id === search.organization);
      const { id = '' } = chosen ?? organizations[0] ?? {};
      return `/platform/operators/invitations?organizationId=${id}&limit=${invitationsPerPage}`;
    }
    case 'organizations':
      return `/platform/organizations?limit=${pageOfOrganizations}`;
  }
}

/** Changes some parameters of the address. Typing in a search field makes no history. */
function useSetSearch(): (change: OperatorsSearch) => void {
  const navigate = useNavigate({ from: '/operators' });
  return useCallback(
    (change) => {
      const isTyping = Object.keys(change).length === 1 && ('q' in change || 'project' in change);
      void navigate({
        search: (before) => ({ ...before, ...change }),
        replace: isTyping,
        resetScroll: false,
      });
    },
    [navigate],
  );
}

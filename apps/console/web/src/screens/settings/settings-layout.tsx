import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useProject } from '../project/use-project.js';
import { groupQuery, groupsQuery, statusesQuery } from './queries.js';
import { SideList } from './side-list.js';
import { GroupsProvider, mayUse, signUpGroup } from './use-groups.js';

/** The settings of a project: the open group beside the list of all. */
export function SettingsLayout(): ReactNode {
  const { ref, capabilities } = useProject();
  const { data: all, error, refetch } = useQuery(groupsQuery(ref));
  const { part } = useParams({ strict: false });
  const [opened, setOpened] = useState<string | undefined>();
  // What the pages inside show, asked for beside the groups and not after them.
  useQuery(statusesQuery(ref));
  useQuery({ ...groupQuery(ref, signUpGroup), enabled: part === undefined });
  // On a narrow page the list closes when a group is chosen.
  const place = part ?? '';
  const isOpen = opened === place;
  const groups = all?.filter((group) => mayUse(capabilities, group.capability));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 xl:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
        <Button
          className="justify-between xl:hidden"
          aria-expanded={isOpen}
          onClick={() => setOpened(isOpen ? undefined : place)}
        >
          All settings
          <ChevronDown aria-hidden className={`size-4 ${isOpen ? 'rotate-180' : ''}`} />
        </Button>
        <div className={isOpen ? '' : 'max-xl:hidden'}>
          {groups ? <SideList groups={groups} /> : !error && <Waiting />}
        </div>
      </div>
      <div className="min-w-0">
        <ProblemNotice of={error} onRetry={() => void refetch()} />
        {groups && (
          <GroupsProvider value={groups}>
            <Outlet />
          </GroupsProvider>
        )}
      </div>
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-3">
      {['w-40', 'w-32', 'w-44', 'w-36', 'w-28'].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}

import { useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';

import { Notice } from '../../ui/notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useMay } from '../project/use-project.js';
import { GroupPage } from './group-page.js';
import { useGroups } from './use-groups.js';

const MessagesPage = lazy(() => import('./messages-page.js'));
const InboxPage = lazy(() => import('./inbox-page.js'));
const lists = [
  { part: 'messages', List: MessagesPage },
  { part: 'inbox', List: InboxPage },
];

/** A group, or one of the lists of messages. */
export function PartPage(): ReactNode {
  const { part } = useParams({ from: '/signed-in/projects/$ref/settings/$part' });
  const groups = useGroups();
  const mayRead = useMay('secrets.manage');
  const group = groups.find(({ name }) => name === part);
  if (group) return <GroupPage key={group.name} group={group} />;
  const { List } = lists.find((list) => mayRead && list.part === part) ?? {};
  if (List) {
    return (
      <Suspense fallback={<Skeleton className="my-3 w-48" />}>
        <List />
      </Suspense>
    );
  }
  return (
    <Notice kind="warning">
      The project has no settings with this name that you may change. Choose a group from the list.
    </Notice>
  );
}

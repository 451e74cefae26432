import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Menu } from '../../ui/menu.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Tabs } from '../../ui/tabs.js';
import { useMay, useProject } from '../project/use-project.js';
import { useUserActions } from './actions.js';
import { AuditTab } from './audit-tab.js';
import { KeysTab } from './keys-tab.js';
import { FactorsTab, IdentitiesTab } from './credentials-tabs.js';
import { contactsOf, nameOf } from './names.js';
import { OrganizationsTab } from './organizations-tab.js';
import { OverviewTab } from './overview-tab.js';
import { type User, type UserDetail, userQuery } from './queries.js';
import { type Part, parts } from './search.js';
import { SessionsTab } from './sessions-tab.js';
import { banInWords, RoleBadge, StatusBadge } from './status.js';
import { type Task, userEntries } from './user-entries.js';
import { WaitingPart, WaitingUser } from './waiting-user.js';

interface UserDrawerProps {
  readonly id: string;
  /** The user as the list has it, if it is in sight: shown until the details are read. */
  readonly listed: User | undefined;
  readonly part: Part | undefined;
  readonly onPart: (part: Part) => void;
  readonly onTask: (task: Task, user: User) => void;
  readonly onClose: () => void;
}

const names: Readonly<Record<Part, string>> = {
  overview: 'Overview',
  identities: 'Identities',
  sessions: 'Sessions',
  factors: 'Factors',
  organizations: 'Organizations',
  keys: 'Keys',
  audit: 'Audit',
};

/** A user with everything that belongs to it. */
export default function UserDrawer({
  id,
  listed,
  part,
  onPart,
  onTask,
  onClose,
}: UserDrawerProps): ReactNode {
  const { ref } = useProject();
  const mayReadAudit = useMay('audit.read');
  const { data, error, refetch } = useQuery(userQuery(ref, id));
  const offered = parts.filter((each) => each !== 'audit' || mayReadAudit);
  const user = data?.user ?? listed;
  const place = useRef<HTMLDivElement>(null);
  const isShown = user !== undefined;
  useEffect(() => {
    // On a phone the open tab may be out of sight.
    const tab = place.current?.querySelector(`[role=tab][data-state=active]`);
    tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [part, isShown]);
  return (
    <Dialog
      title={user ? nameOf(user) : 'User'}
      about={user ? contactsOf(user) : id}
      place="drawer"
      onClose={onClose}
    >
      <DialogBody>
        <ProblemNotice
          of={error}
          {...(data && { effect: 'The user could not be read again.' })}
          onRetry={() => void refetch()}
        />
        {!user && !error && <WaitingUser part={part} />}
        {user && (data !== undefined || !error) && (
          <>
            <Summary user={user} onTask={onTask} />
            <div ref={place} className="min-w-0">
              <Tabs
                label="Parts of the user"
                open={names[part ?? 'overview']}
                onOpen={(name) =>
                  onPart(offered.find((each) => names[each] === name) ?? 'overview')
                }
                tabs={offered.map((each) => ({
                  name: names[each],
                  content: <PartView part={each} user={user} detail={data} />,
                }))}
              />
            </div>
          </>
        )}
      </DialogBody>
    </Dialog>
  );
}

interface PartViewProps {
  readonly part: Part;
  readonly user: User;
  /** Undefined until it is read. */
  readonly detail: UserDetail | undefined;
}

function PartView({ part, user, detail }: PartViewProps): ReactNode {
  // The list has all of it.
  if (part === 'overview') return <OverviewTab key={user.id} user={user} />;
  if (part === 'audit') return <AuditTab userId={user.id} />;
  if (!detail) return <WaitingPart />;
  switch (part) {
    case 'identities':
      return <IdentitiesTab detail={detail} />;
    case 'sessions':
      return <SessionsTab detail={detail} />;
    case 'factors':
      return <FactorsTab detail={detail} />;
    case 'organizations':
      return <OrganizationsTab detail={detail} />;
    case 'keys':
      return <KeysTab detail={detail} />;
  }
}

interface SummaryProps {
  readonly user: User;
  readonly onTask: (task: Task, user: User) => void;
}

function Summary({ user, onTask }: SummaryProps): ReactNode {
  const { ref } = useProject();
  const actions = useUserActions(ref);
  const entries = userEntries(user, { actions, onTask: (task) => onTask(task, user) });
  const isActive = user.status === 'active';
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge of={user} />
        <RoleBadge of={user} />
        <span className="ml-auto flex items-center gap-1">
          <CopyButton
            text={curlOf({ path: projectPath(ref, `/api/admin/users/${user.id}`) })}
            what="as curl: this user"
          >
            Copy as curl
          </CopyButton>
          <Menu
            label={`Actions on ${nameOf(user)}, here`}
            icon={<Ellipsis aria-hidden className="size-4" />}
            entries={entries}
          />
        </span>
      </div>
      {!isActive && (
        <Notice kind={user.banReason === null ? 'warning' : 'problem'}>
          <p className="break-words">{banInWords(user)}</p>
          <Button size="small" className="mt-2" onClick={() => void actions.unban(user)}>
            {user.banReason === null ? 'Activate' : 'Unban'}
          </Button>
        </Notice>
      )}
    </div>
  );
}

import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';

import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Menu } from '../../ui/menu.js';
import { Notice } from '../../ui/notice.js';
import { Tabs } from '../../ui/tabs.js';
import { AccessPart } from './access-part.js';
import { AccountPart } from './account-part.js';
import { useOperatorActions } from './actions.js';
import { AdminBadge, StatusBadge } from './badges.js';
import { nameOf, type Person, type Place } from './people.js';
import { personEntries, type Task } from './person-entries.js';
import { type Part, parts } from './search.js';
import { SessionsPart } from './sessions-part.js';
import type { OperatorsWorld } from './world.js';

interface PersonDrawerProps {
  readonly world: OperatorsWorld;
  readonly person: Person;
  readonly part: Part | undefined;
  readonly onPart: (part: Part) => void;
  readonly onRole: (person: Person, place: Place) => void;
  readonly onTask: (task: Task, person: Person) => void;
  readonly onClose: () => void;
}

const names: Readonly<Record<Part, string>> = {
  access: 'Access',
  sessions: 'Sessions',
  account: 'Account',
};

/** An operator with roles and, for administrators of the deployment, sessions and account. */
export default function PersonDrawer(props: PersonDrawerProps): ReactNode {
  const { world, person, part = 'access', onPart, onTask, onClose } = props;
  const actions = useOperatorActions();
  const offered = world.isAdmin ? parts : (['access'] as const);
  const shown = offered.find((each) => each === part) ?? 'access';
  const name = nameOf(person);
  return (
    <Dialog
      title={name}
      about={name === person.email ? undefined : person.email}
      place="drawer"
      onClose={onClose}
    >
      <DialogBody>
        <div className="flex flex-wrap items-center gap-2">
          <StatusBadge of={person} />
          <AdminBadge of={person} />
          {world.isAdmin && (
            <span className="ml-auto">
              <Menu
                label={`Actions on ${name}, here`}
                icon={<Ellipsis aria-hidden className="size-4" />}
                entries={personEntries(person, {
                  world,
                  actions,
                  onTask: (task) => onTask(task, person),
                })}
              />
            </span>
          )}
        </div>
        {person.isDeploymentAdmin && (
          <Notice kind="plain">
            An administrator of the deployment may do everything in every project, whatever the
            roles below are.
          </Notice>
        )}
        <Tabs
          label="Parts of the operator"
          open={names[shown]}
          onOpen={(next) => onPart(parts.find((each) => names[each] === next) ?? 'access')}
          tabs={offered.map((each) => ({
            name: names[each],
            content: <PartView {...props} part={each} />,
          }))}
        />
      </DialogBody>
    </Dialog>
  );
}

function PartView({
  world,
  person,
  part,
  onRole,
}: PersonDrawerProps & { readonly part: Part }): ReactNode {
  switch (part) {
    case 'access':
      return <AccessPart world={world} person={person} onRole={(place) => onRole(person, place)} />;
    case 'sessions':
      return <SessionsPart person={person} />;
    case 'account':
      return <AccountPart person={person} />;
  }
}

import {
  CirclePause,
  KeyRound,
  ShieldCheck,
  ShieldOff,
  Trash2,
  Undo2,
  UserRound,
} from 'lucide-react';

import type { MenuEntry } from '../../ui/menu-entry.js';
import type { OperatorActions } from './actions.js';
import type { Person } from './people.js';
import type { OperatorsWorld } from './world.js';

/** What a dialog is open for. */
export type Task = 'reset' | 'delete';

interface Doing {
  readonly world: OperatorsWorld;
  readonly actions: OperatorActions;
  readonly onTask: (task: Task) => void;
  /** Absent where the details are open already. */
  readonly onOpen?: () => void;
}

/** The actions on an operator. Accounts are for administrators of the deployment, and the own one is not among them. */
export function personEntries(
  person: Person,
  { world, actions, onTask, onOpen }: Doing,
): readonly MenuEntry[] {
  const open: readonly MenuEntry[] = onOpen
    ? [{ name: 'Open', icon: <UserRound aria-hidden />, run: onOpen }]
    : [];
  if (!world.isAdmin) return open;
  if (person.id === world.selfId)
    return [...open, { text: 'Your own account is changed by another administrator.' }];
  const isActive = person.status === 'active';
  return [
    ...open,
    person.isDeploymentAdmin
      ? {
          name: 'Take the administration away',
          icon: <ShieldOff aria-hidden />,
          run: () => void actions.setAdministrator(person, false),
        }
      : {
          name: 'Make an administrator',
          icon: <ShieldCheck aria-hidden />,
          run: () => void actions.setAdministrator(person, true),
        },
    { name: 'Reset the sign-in', icon: <KeyRound aria-hidden />, run: () => onTask('reset') },
    'line',
    isActive
      ? {
          name: 'Deactivate',
          icon: <CirclePause aria-hidden />,
          run: () => void actions.setStatus(person, 'disabled'),
          isDangerous: true,
        }
      : {
          name: 'Activate',
          icon: <Undo2 aria-hidden />,
          run: () => void actions.setStatus(person, 'active'),
        },
    {
      name: 'Delete',
      icon: <Trash2 aria-hidden />,
      run: () => onTask('delete'),
      isDangerous: true,
    },
  ];
}

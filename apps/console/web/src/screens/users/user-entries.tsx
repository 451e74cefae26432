import {
  Ban,
  Download,
  KeyRound,
  Link2,
  LogOut,
  ShieldCheck,
  ShieldOff,
  Trash2,
  Undo2,
  UserRound,
  VenetianMask,
} from 'lucide-react';

import type { MenuEntry } from '../../ui/menu-entry.js';
import type { UserActions } from './actions.js';
import { downloadCsv } from './csv.js';
import { isStandIn } from './names.js';
import type { User } from './queries.js';

/** What a dialog is open for. */
export type Task = 'ban' | 'password' | 'link' | 'impersonate' | 'delete';

interface Doing {
  readonly actions: UserActions;
  readonly onTask: (task: Task) => void;
  /** Absent where the details are open already. */
  readonly onOpen?: () => void;
}

/** The actions on a user, as far as they are possible. */
export function userEntries(user: User, { actions, onTask, onOpen }: Doing): readonly MenuEntry[] {
  const isActive = user.status === 'active';
  const isAdmin = user.role === 'ADMIN';
  const hasAddress = !isStandIn(user.email);
  return [
    ...(onOpen ? [{ name: 'Open', icon: <UserRound aria-hidden />, run: onOpen }] : []),
    ...(isActive && !isAdmin
      ? [
          {
            name: 'Impersonate',
            icon: <VenetianMask aria-hidden />,
            run: () => onTask('impersonate'),
          },
        ]
      : []),
    ...(isActive && hasAddress
      ? [{ name: 'Generate a link', icon: <Link2 aria-hidden />, run: () => onTask('link') }]
      : []),
    { name: 'Reset the password', icon: <KeyRound aria-hidden />, run: () => onTask('password') },
    {
      name: 'Sign out everywhere',
      icon: <LogOut aria-hidden />,
      run: () => void actions.endSessions(user),
    },
    isAdmin
      ? {
          name: 'Demote to user',
          icon: <ShieldOff aria-hidden />,
          run: () => void actions.demote(user),
        }
      : {
          name: 'Promote to administrator',
          icon: <ShieldCheck aria-hidden />,
          run: () => void actions.promote(user),
        },
    {
      name: 'Export as CSV',
      icon: <Download aria-hidden />,
      run: () => downloadCsv(`user-${user.id}.csv`, [user]),
    },
    'line',
    isActive
      ? { name: 'Ban', icon: <Ban aria-hidden />, run: () => onTask('ban'), isDangerous: true }
      : { name: 'Unban', icon: <Undo2 aria-hidden />, run: () => void actions.unban(user) },
    {
      name: 'Delete',
      icon: <Trash2 aria-hidden />,
      run: () => onTask('delete'),
      isDangerous: true,
    },
  ];
}

import { Ban, CircleCheck, CirclePause, Shield } from 'lucide-react';
import type { ReactNode } from 'react';

import { exactTime } from '../../ui/time-in-words.js';
import type { User } from './queries.js';

const look = 'inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-[13px] font-medium';

/** Whether the user may sign in, in a word; why not, on hover. */
export function StatusBadge({ of: user }: { readonly of: User }): ReactNode {
  if (user.status === 'active')
    return (
      <span className={`${look} bg-good-soft text-good`}>
        <CircleCheck aria-hidden className="size-3.5" />
        Active
      </span>
    );
  const isBanned = user.banReason !== null;
  const Icon = isBanned ? Ban : CirclePause;
  return (
    <span
      title={banInWords(user)}
      className={`${look} ${isBanned ? 'bg-danger-soft text-danger' : 'bg-warn-soft text-warn'}`}
    >
      <Icon aria-hidden className="size-3.5" />
      {isBanned ? 'Banned' : 'Deactivated'}
    </span>
  );
}

/** Why and until when a user cannot sign in. */
export function banInWords({ banReason, bannedUntil }: User): string {
  if (banReason === null) return 'The account is deactivated: it cannot sign in.';
  if (bannedUntil === null) return `Banned without an end: ${banReason}`;
  const isOver = new Date(bannedUntil).getTime() <= Date.now();
  const end = isOver
    ? 'the ban is over and ends with the next sign-in'
    : `until ${exactTime(bannedUntil)}`;
  return `Banned, ${end}: ${banReason}`;
}

export function RoleBadge({
  of: { role, is_anonymous: isGuest },
}: {
  readonly of: User;
}): ReactNode {
  if (role === 'ADMIN')
    return (
      <span className={`${look} bg-accent-soft text-accent`}>
        <Shield aria-hidden className="size-3.5" />
        Admin
      </span>
    );
  return (
    <span className="text-[14px] text-soft">
      {isGuest ? 'Guest' : role === 'USER' ? 'User' : role}
    </span>
  );
}

import { CircleCheck, CirclePause, Shield, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Person } from './people.js';

const look = 'inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-[13px] font-medium';

/** Whether the operator may sign in. */
export function StatusBadge({ of: { status } }: { readonly of: Person }): ReactNode {
  const isActive = status === 'active';
  const Icon = isActive ? CircleCheck : CirclePause;
  return (
    <span className={`${look} ${isActive ? 'bg-good-soft text-good' : 'bg-warn-soft text-warn'}`}>
      <Icon aria-hidden className="size-3.5" />
      {isActive ? 'Active' : 'Deactivated'}
    </span>
  );
}

export function AdminBadge({ of: { isDeploymentAdmin } }: { readonly of: Person }): ReactNode {
  if (!isDeploymentAdmin) return null;
  return (
    <span
      title="Administers the deployment, and may do everything in every project"
      className={`${look} bg-accent-soft text-accent`}
    >
      <Shield aria-hidden className="size-3.5" />
      Administrator
    </span>
  );
}

/** Whether the sign-in takes a code of an authenticator besides the password. */
export function FactorBadge({
  of: { twoFactorEnabled },
  isNamed = false,
}: {
  readonly of: Person;
  /** It says what is on or off; elsewhere a heading does. */
  readonly isNamed?: boolean;
}): ReactNode {
  if (twoFactorEnabled === null) return <span className="text-[14px] text-soft">Not shown</span>;
  const Icon = twoFactorEnabled ? ShieldCheck : TriangleAlert;
  return (
    <span
      className={`inline-flex items-center gap-1.5 text-[14px] ${twoFactorEnabled ? 'text-good' : 'text-warn'}`}
    >
      <Icon aria-hidden className="size-3.5" />
      {isNamed && 'Second factor '}
      {isNamed ? (twoFactorEnabled ? 'on' : 'off') : twoFactorEnabled ? 'On' : 'Off'}
    </span>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { FactorBadge } from './badges.js';
import { LastSignIn } from './people-table.js';
import type { Person } from './people.js';

/** What is known of the account of an operator. */
export function AccountPart({ person }: { readonly person: Person }): ReactNode {
  const { id, email, isDeploymentAdmin, mustChangePassword } = person;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <dl className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-[14px]">
        <dt className="text-soft">Email address</dt>
        <dd className="break-words">{email}</dd>
        <dt className="text-soft">Deployment</dt>
        <dd>{isDeploymentAdmin ? 'Administrator' : 'No administrator'}</dd>
        <dt className="text-soft">Second factor</dt>
        <dd>
          <FactorBadge of={person} />
        </dd>
        <dt className="text-soft">Last sign-in</dt>
        <dd>
          <LastSignIn of={person} />
        </dd>
        <dt className="text-soft">Password</dt>
        <dd>
          {mustChangePassword ? 'Must be changed at the next sign-in' : 'Set by the operator'}
        </dd>
        <dt className="text-soft">Id</dt>
        <dd className="font-mono text-[13px] break-all">{id}</dd>
      </dl>
      <p className="text-[14px]">
        <Link
          to="/audit"
          search={{ operator: id }}
          className="text-accent underline underline-offset-2"
        >
          What the operator has changed
        </Link>
        {' · '}
        <Link
          to="/audit"
          search={{ target: id }}
          className="text-accent underline underline-offset-2"
        >
          What was changed about the operator
        </Link>
      </p>
    </div>
  );
}

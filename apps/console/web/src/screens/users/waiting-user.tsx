// Where the details of a user will be, each part as high as it is then.
import type { ReactNode } from 'react';

import { Skeleton } from '../../ui/skeleton.js';
import { WaitingField } from '../../ui/waiting-field.js';
import { Rows } from './rows.js';
import type { Part } from './search.js';

/** The two fields of metadata, by their names in the API. */
export const metadataWords = {
  app: { label: 'app_metadata', hint: 'For policies: only administrators change it.' },
  user: { label: 'user_metadata', hint: 'The user can change it: trust nothing in it.' },
} as const;

/** All of it, for a user who is not in the list that is shown. */
export function WaitingUser({ part }: { readonly part: Part | undefined }): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading the user" className="grid gap-4">
      <div className="flex h-9 items-center gap-2">
        <Skeleton className="w-16" />
        <Skeleton className="w-12" />
      </div>
      <div className="h-9 border-b border-line" />
      {part === undefined || part === 'overview' ? <WaitingOverview /> : <WaitingPart />}
    </div>
  );
}

/** The rows of a part. */
export function WaitingPart(): ReactNode {
  return (
    <div aria-busy>
      <Rows label="Loading">
        {[0, 1].map((row) => (
          <li key={row} className="grid gap-1 px-4 py-3">
            <Skeleton className="w-40" />
            <Skeleton className="w-64" />
          </li>
        ))}
      </Rows>
    </div>
  );
}

/** The fields of the metadata while the code of their editor is loaded. */
export function WaitingMetadata(): ReactNode {
  return (
    <>
      <WaitingField {...metadataWords.app} className="h-32" />
      <WaitingField {...metadataWords.user} className="h-32" />
    </>
  );
}

function WaitingOverview(): ReactNode {
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-[14px] [&_dt]:self-center [&_dt]:text-soft">
        {['Id', 'Created', 'Changed', 'Last sign-in', 'Second factor'].map((name) => (
          <WaitingFact key={name} name={name} />
        ))}
      </dl>
      <div className="grid gap-4 sm:grid-cols-2">
        <WaitingField label="Name" />
        <WaitingField label="User name" />
        <WaitingField label="Email address" hint="The address is verified" />
        <WaitingField label="Phone number" hint="The number is verified" />
      </div>
      <WaitingMetadata />
    </div>
  );
}

function WaitingFact({ name }: { readonly name: string }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      {/* Beside the id is a button. */}
      <dd className={`flex items-center ${name === 'Id' ? 'h-9' : ''}`}>
        <Skeleton className="w-40" />
      </dd>
    </>
  );
}

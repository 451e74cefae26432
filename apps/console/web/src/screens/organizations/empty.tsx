import { Building2, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { Skeleton } from '../../ui/skeleton.js';

/** How the first organization is made. */
export function NoOrganizations({ url }: { readonly url: string }): ReactNode {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-lg border border-line bg-surface p-5 sm:p-8">
      <div className="grid gap-1.5">
        <Building2 aria-hidden className="size-6 text-soft" />
        <h2 className="text-[17px] font-semibold">No organization yet</h2>
        <p className="max-w-prose text-[14px] text-soft">
          Users of your app make organizations and invite each other. Policies read the active one
          as the claims <code>org_id</code> and <code>org_role</code>. Run this as a user who is
          signed in.
        </p>
      </div>
      <Code
        label="In your app"
        text={`await client.auth.organization.create({ name: 'Works', slug: 'works' });`}
      />
      <Code
        label="With curl"
        text={`curl -s -X POST '${url}/api/auth/organization/create' \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{"name":"Works","slug":"works"}'`}
      />
    </section>
  );
}

export function NoMatch({ onClear }: { readonly onClear: () => void }): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <SearchX aria-hidden className="size-6 text-soft" />
      <p>No organization matches.</p>
      <Button onClick={onClear}>Show all organizations</Button>
    </div>
  );
}

export function WaitingOrganizations(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading the organizations"
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="flex h-14 items-center gap-6 px-4">
          <Skeleton className="w-40" />
          <Skeleton className="ml-auto w-20" />
        </div>
      ))}
    </div>
  );
}

import { SearchX, Users } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { Skeleton } from '../../ui/skeleton.js';

interface NoUsersProps {
  readonly url: string;
  readonly onCreate: () => void;
}

/** How the first user signs up. */
export function NoUsers({ url, onCreate }: NoUsersProps): ReactNode {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-lg border border-line bg-surface p-5 sm:p-8">
      <div className="grid gap-1.5">
        <Users aria-hidden className="size-6 text-soft" />
        <h2 className="text-[17px] font-semibold">No user has signed up yet</h2>
        <p className="max-w-prose text-[14px] text-soft">
          Users sign up in your app. Run one of these to make the first account, or make it here.
        </p>
      </div>
      <Code
        label="In your app"
        text={`import { createClient } from '@rowhouse/client';

const client = createClient('${url}', 'your publishable key');

await client.auth.signUp({
  email: 'ada@example.org',
  password: 'correct horse battery',
});`}
      />
      <Code
        label="With curl"
        text={`curl -s -X POST '${url}/api/auth/sign-up/email' \\
  -H 'content-type: application/json' \\
  -d '{"email":"ada@example.org","password":"correct horse battery"}'`}
      />
      <div>
        <Button look="primary" onClick={onCreate}>
          New user
        </Button>
      </div>
    </section>
  );
}

interface NoMatchProps {
  readonly text: string | undefined;
  readonly onClear: () => void;
}

export function NoMatch({ text, onClear }: NoMatchProps): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <SearchX aria-hidden className="size-6 text-soft" />
      <p className="max-w-full break-words">
        {text === undefined ? 'No user matches the filters.' : `No user matches “${text}”.`}
      </p>
      <Button onClick={onClear}>Show all users</Button>
    </div>
  );
}

export function WaitingRows(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading the users"
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="flex h-14 items-center gap-6 px-4">
          <Skeleton className="w-40" />
          <Skeleton className="w-24 max-sm:hidden" />
          <Skeleton className="ml-auto w-20" />
        </div>
      ))}
    </div>
  );
}

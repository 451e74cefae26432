import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { parseObject } from '../../api/json.js';
import { Choice, Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { JsonArea } from './json-area.js';
import type { ActingAs } from './listener.js';
import { usersQuery } from './queries.js';

export const callers = ['anon', 'user', 'claims', 'service'] as const;
export type CallerKind = (typeof callers)[number];

const callerNames: Readonly<Record<CallerKind, string>> = {
  anon: 'A visitor (anon)',
  user: 'A user',
  claims: 'Claims written by hand',
  service: 'A secret key (all rows)',
};

/** What is chosen so far. */
export interface CallerDraft {
  readonly kind: CallerKind;
  readonly userId: string;
  readonly userName: string;
  readonly claims: string;
}

export const firstCaller: CallerDraft = {
  kind: 'anon',
  userId: '',
  userName: '',
  claims: '{ "sub": "" }',
};

/** The caller with its name; a text that says what is missing. */
export function callerOf(
  draft: CallerDraft,
): { readonly as: ActingAs; readonly who: string } | string {
  switch (draft.kind) {
    case 'anon':
      return { as: { role: 'anon' }, who: 'a visitor' };
    case 'service':
      return { as: { role: 'service_role' }, who: 'a secret key' };
    case 'user':
      if (draft.userId === '') return 'Choose a user.';
      return { as: { userId: draft.userId }, who: draft.userName || draft.userId };
    case 'claims': {
      const claims = parseObject(draft.claims);
      if (!claims) return 'The claims must be a JSON object, such as {"sub": "…"}.';
      const { sub } = claims;
      const who = typeof sub === 'string' && sub !== '' ? `claims of ${sub}` : 'claims';
      return { as: { role: 'authenticated', claims }, who };
    }
  }
}

interface CallerFieldsProps {
  readonly draft: CallerDraft;
  readonly onChange: (change: Partial<CallerDraft>) => void;
}

/** As whom a channel is joined. */
export function CallerFields({ draft, onChange }: CallerFieldsProps): ReactNode {
  const { kind, claims } = draft;
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="sr-only">Who</legend>
      <Choice
        label="As"
        value={kind}
        onChange={({ target }) =>
          onChange({ kind: callers.find((one) => one === target.value) ?? kind })
        }
      >
        {callers.map((one) => (
          <option key={one} value={one}>
            {callerNames[one]}
          </option>
        ))}
      </Choice>
      {kind === 'user' && <UserFields draft={draft} onChange={onChange} />}
      {kind === 'claims' && (
        <JsonArea
          label="Claims"
          value={claims}
          problem={parseObject(claims) ? undefined : 'This is no JSON object.'}
          hint="What auth.jwt() returns for a token of another issuer; auth.uid() is sub. For an account of the project, choose the user: its id as sub is refused."
          onChange={(text) => onChange({ claims: text })}
        />
      )}
    </fieldset>
  );
}

function UserFields({ draft: { userId, userName }, onChange }: CallerFieldsProps): ReactNode {
  const { ref } = useProject();
  const [text, setText] = useState('');
  const { data, error } = useQuery(usersQuery(ref, text.trim()));
  const users = data?.users ?? [];
  return (
    <>
      <Field
        label="Find a user"
        type="search"
        value={text}
        placeholder="Part of the email address or name"
        onChange={({ target }) => setText(target.value)}
      />
      <ProblemNotice of={error} />
      <Choice
        label="User"
        value={userId}
        onChange={({ target }) => {
          const found = users.find(({ id }) => id === target.value);
          onChange({ userId: target.value, userName: found?.email ?? '' });
        }}
      >
        <option value="">Choose a user</option>
        {userId !== '' && users.every(({ id }) => id !== userId) && (
          <option value={userId}>{userName || userId}</option>
        )}
        {users.map(({ id, email }) => (
          <option key={id} value={id}>
            {email || id}
          </option>
        ))}
      </Choice>
    </>
  );
}

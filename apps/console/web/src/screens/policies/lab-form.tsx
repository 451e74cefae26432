import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Choice, Field } from '../../ui/field.js';
import { useMay, useProject } from '../project/use-project.js';
import { useKnownAs } from '../users/known-user.js';
import { knownAs } from '../users/names.js';
import { JsonField } from './json-field.js';
import { type PolicyTable, usersQuery } from './queries.js';
import {
  claimRoles,
  fileAccesses,
  offeredCallers,
  type PoliciesSearch,
  requestKinds,
  type RequestKind,
} from './search.js';

export interface LabFields {
  readonly search: PoliciesSearch;
  readonly onChange: (change: PoliciesSearch) => void;
  /** The text of a key, which is kept out of the address; absent where a key has its id alone. */
  readonly keyText?: string;
  readonly onKeyText?: (text: string) => void;
  readonly tables: readonly PolicyTable[];
  /** The table is that of the policy in the editor. */
  readonly isTableFixed?: boolean;
}

const callerNames = {
  anon: 'A visitor (anon)',
  user: 'A user',
  claims: 'Claims written by hand',
  key: 'An API key',
} as const;

const requestNames: Readonly<Record<RequestKind, string>> = {
  select: 'Read rows',
  insert: 'Add rows',
  update: 'Change rows',
  delete: 'Delete rows',
  rpc: 'Call a function',
  file: 'Use a file',
};

/** As whom a request is tried. */
export function CallerFields({ search, onChange, keyText = '', onKeyText }: LabFields): ReactNode {
  const { as = 'anon', role = 'authenticated', claims = '{}', keyId = '' } = search;
  const offered = offeredCallers(useMay('secrets.manage'));
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <legend className="pb-2 text-[14px] font-semibold">Who</legend>
      <Choice
        label="Caller"
        value={as}
        onChange={({ target }) => onChange({ as: offered.find((kind) => kind === target.value) })}
      >
        {offered.map((kind) => (
          <option key={kind} value={kind}>
            {callerNames[kind]}
          </option>
        ))}
      </Choice>
      {as === 'user' && <UserFields search={search} onChange={onChange} />}
      {as === 'claims' && (
        <>
          <Choice
            label="Role"
            value={role}
            onChange={({ target }) =>
              onChange({ role: claimRoles.find((known) => known === target.value) })
            }
          >
            {claimRoles.map((known) => (
              <option key={known}>{known}</option>
            ))}
          </Choice>
          <JsonField
            label="Claims"
            value={claims}
            onChange={(text) => onChange({ claims: text })}
          />
        </>
      )}
      {as === 'key' && (
        <>
          {onKeyText && (
            <Field
              label="Key"
              type="password"
              autoComplete="off"
              value={keyText}
              hint="A publishable key, a secret key, or the API key of a user. It is not kept, and its use is not counted."
              onChange={({ target }) => onKeyText(target.value)}
            />
          )}
          <Field
            label={onKeyText ? 'Or the id of a user’s API key' : 'Id of a user’s API key'}
            value={keyId}
            onChange={({ target }) => onChange({ keyId: target.value || undefined })}
          />
        </>
      )}
    </fieldset>
  );
}

function UserFields({ search, onChange }: Pick<LabFields, 'search' | 'onChange'>): ReactNode {
  const { ref } = useProject();
  const { user = '' } = search;
  const [text, setText] = useState('');
  const { data } = useQuery(usersQuery(ref, text.trim()));
  const users = data?.users ?? [];
  // The address of the page may name a user whom the search does not find.
  const isListed = users.some(({ id }) => id === user);
  const { name = user } = useKnownAs(ref, isListed ? '' : user);
  return (
    <>
      <Field
        label="Find a user"
        type="search"
        value={text}
        placeholder="Part of the email address or name"
        onChange={({ target }) => setText(target.value)}
      />
      <Choice
        label="User"
        value={user}
        onChange={({ target }) => onChange({ user: target.value || undefined })}
      >
        <option value="">Choose a user</option>
        {user !== '' && !isListed && <option value={user}>{name}</option>}
        {users.map((each) => (
          <option key={each.id} value={each.id}>
            {knownAs(each)}
          </option>
        ))}
      </Choice>
    </>
  );
}

/** What is tried. */
export function RequestFields({
  search,
  onChange,
  tables,
  isTableFixed = false,
}: LabFields): ReactNode {
  const { do: kind = 'select', query = '', values = '{}', fn = '', bucket = '', key = '' } = search;
  const { table = '', access = 'read' } = search;
  const isOnTable = kind !== 'rpc' && kind !== 'file';
  const offered = isTableFixed
    ? requestKinds.filter((one) => one !== 'rpc' && one !== 'file')
    : requestKinds;
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <legend className="pb-2 text-[14px] font-semibold">What</legend>
      <Choice
        label="Request"
        value={kind}
        onChange={({ target }) =>
          onChange({ do: requestKinds.find((one) => one === target.value) })
        }
      >
        {offered.map((one) => (
          <option key={one} value={one}>
            {requestNames[one]}
          </option>
        ))}
      </Choice>
      {isOnTable && !isTableFixed && (
        <Choice
          label="Table"
          value={table}
          onChange={({ target }) => onChange({ table: target.value || undefined })}
        >
          <option value="">Choose a table</option>
          {tables
            .filter(({ isExposed }) => isExposed)
            .map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
        </Choice>
      )}
      {isOnTable && kind !== 'insert' && (
        <Field
          label="Which rows"
          value={query}
          placeholder="id=eq.1&order=id"
          hint="Filters as in the address of a request. Empty: all rows."
          spellCheck={false}
          className="font-mono text-[13px]"
          onChange={({ target }) => onChange({ query: target.value || undefined })}
        />
      )}
      {(kind === 'insert' || kind === 'update') && (
        <JsonField
          label={kind === 'insert' ? 'New rows' : 'New values'}
          value={values}
          onChange={(text) => onChange({ values: text })}
        />
      )}
      {kind === 'rpc' && (
        <>
          <Field
            label="Function"
            value={fn}
            onChange={({ target }) => onChange({ fn: target.value || undefined })}
          />
          <JsonField
            label="Arguments"
            value={values}
            onChange={(text) => onChange({ values: text })}
          />
        </>
      )}
      {kind === 'file' && (
        <>
          <Choice
            label="Access"
            value={access}
            onChange={({ target }) =>
              onChange({ access: fileAccesses.find((one) => one === target.value) })
            }
          >
            {fileAccesses.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Choice>
          <Field
            label="Bucket"
            value={bucket}
            onChange={({ target }) => onChange({ bucket: target.value || undefined })}
          />
          <Field
            label="Path of the file"
            value={key}
            onChange={({ target }) => onChange({ key: target.value || undefined })}
          />
        </>
      )}
    </fieldset>
  );
}

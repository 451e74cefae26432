// A saved test as the fields of its form, and what was changed in them. Tests made through the API may have fields that
// the form does not know, so only the parts that were changed are sent.
import { isRecord, parseJson } from '../../api/json.js';
import { labRequestOf } from './lab-request.js';
import type { PolicyTest, TestChange } from './queries.js';
import {
  type CallerKind,
  callerKinds,
  claimRoles,
  fileAccesses,
  type PoliciesSearch,
  requestKinds,
} from './search.js';

export const expectationKinds = ['rows', 'keys', 'refused'] as const;
export type ExpectationKind = (typeof expectationKinds)[number];

export interface TestDraft {
  readonly name: string;
  /** Caller and request, as the form of the lab has them. */
  readonly lab: PoliciesSearch;
  readonly kind: ExpectationKind;
  /** A number of rows. */
  readonly count: string;
  /** A list of primary keys in JSON. */
  readonly keys: string;
  readonly code: string;
}

export type ReadDraft =
  | { readonly kind: 'ready'; readonly change: TestChange }
  | { readonly kind: 'unready'; readonly problem: string };

export const callerKindOf = ({ as }: Pick<PolicyTest, 'as'>): CallerKind | undefined =>
  among(callerKinds, fieldsOf(as)['kind']);

/** The form of a test. */
export function draftOf({ name, as, request, expect }: Saved): TestDraft {
  const { kind, count, keys, code } = fieldsOf(expect);
  return {
    name,
    lab: { ...callerFields(fieldsOf(as)), ...requestFields(fieldsOf(request)) },
    kind: among(expectationKinds, kind) ?? 'rows',
    count: typeof count === 'number' ? String(count) : '',
    keys: jsonOf(keys) ?? '[]',
    code: textOf(code) ?? '',
  };
}

type Saved = Pick<PolicyTest, 'name' | 'as' | 'request' | 'expect'>;

/** What the form changes of a test, or what keeps it from being saved. */
export function changeOf(saved: Saved, draft: TestDraft): ReadDraft {
  const before = draftOf(saved);
  const lab = labRequestOf(draft.lab, '');
  const labBefore = labRequestOf(before.lab, '');
  const expect = expectOf(draft);
  const name = draft.name.trim();
  if (name === '') return { kind: 'unready', problem: 'Enter a name.' };
  if (lab.kind === 'unready') return lab;
  if (typeof expect === 'string') return { kind: 'unready', problem: expect };
  const isOther = (part: 'as' | 'request'): boolean =>
    labBefore.kind === 'unready' || jsonOf(labBefore[part]) !== jsonOf(lab[part]);
  return {
    kind: 'ready',
    change: {
      ...(name !== saved.name && { name }),
      ...(isOther('as') && { as: lab.as }),
      ...(isOther('request') && { request: lab.request }),
      ...(jsonOf(expectOf(before)) !== jsonOf(expect) && { expect }),
    },
  };
}

/** What a test expects, or what is wrong with the fields. */
function expectOf({ kind, count, keys, code }: TestDraft): object | string {
  switch (kind) {
    case 'rows':
      return /^\d{1,9}$/.test(count.trim())
        ? { kind, count: Number(count) }
        : 'Enter a number of rows.';
    case 'keys': {
      const list = parseJson(keys);
      return Array.isArray(list) ? { kind, keys: list } : 'The keys must be a list in JSON.';
    }
    case 'refused':
      return code.trim() === '' ? 'Enter the code of the refusal.' : { kind, code: code.trim() };
  }
}

type Fields = Readonly<Record<string, unknown>>;

function callerFields({ kind, userId, role, claims, keyId }: Fields): PoliciesSearch {
  return {
    as: among(callerKinds, kind),
    user: textOf(userId),
    role: among(claimRoles, role),
    claims: jsonOf(claims),
    keyId: textOf(keyId),
  };
}

function requestFields(request: Fields): PoliciesSearch {
  const { kind, table, query, values, access, bucket, key } = request;
  return {
    do: among(requestKinds, kind),
    table: textOf(table),
    query: textOf(query),
    values: jsonOf(kind === 'rpc' ? request['arguments'] : values),
    fn: textOf(request['function']),
    access: among(fileAccesses, access),
    bucket: textOf(bucket),
    key: textOf(key),
  };
}

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const jsonOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

function among<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((each) => each === value);
}

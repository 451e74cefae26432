// What the address of the screen says: the open tab, the policy in the editor, and the request of the lab.

export const tabs = ['tables', 'lab', 'tests'] as const;
export type Tab = (typeof tabs)[number];

export const callerKinds = ['anon', 'user', 'claims', 'key'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** Without `secrets.manage`: the claims of users, and of keys, show accounts. */
const callerKindsWithoutAccounts = ['anon', 'claims'] as const satisfies readonly CallerKind[];

/** The callers that an operator may try, by whether the operator may see the accounts of users. */
export function offeredCallers(seesAccounts: boolean): readonly CallerKind[] {
  return seesAccounts ? callerKinds : callerKindsWithoutAccounts;
}

export const requestKinds = ['select', 'insert', 'update', 'delete', 'rpc', 'file'] as const;
export type RequestKind = (typeof requestKinds)[number];

export const claimRoles = ['authenticated', 'anon', 'service_role'] as const;
export type ClaimRole = (typeof claimRoles)[number];

export const fileAccesses = ['read', 'write', 'delete'] as const;
export type FileAccess = (typeof fileAccesses)[number];

/** Undefined: as if the address did not say it. The text of a key is a secret, and never in the address. */
export interface PoliciesSearch {
  /** The tables unless it is given. */
  readonly tab?: Tab | undefined;
  /** Part of the name of a table. */
  readonly q?: string | undefined;
  /** `public` unless it is given. */
  readonly schema?: string | undefined;
  /** `schema.table` whose policy is in the editor. */
  readonly edit?: string | undefined;
  /** The name of that policy; absent: a new one. */
  readonly policy?: string | undefined;
  readonly as?: CallerKind | undefined;
  readonly user?: string | undefined;
  readonly role?: ClaimRole | undefined;
  /** JSON, as it is written. */
  readonly claims?: string | undefined;
  readonly keyId?: string | undefined;
  readonly do?: RequestKind | undefined;
  readonly table?: string | undefined;
  readonly query?: string | undefined;
  /** JSON, as it is written. */
  readonly values?: string | undefined;
  readonly fn?: string | undefined;
  readonly bucket?: string | undefined;
  readonly key?: string | undefined;
  readonly access?: FileAccess | undefined;
}

/** The parameters that are valid. The others are undefined: what is left out is taken from the address as it is. */
export function readSearch(given: Record<string, unknown>): PoliciesSearch {
  const text = (name: string): string | undefined => {
    const value = given[name];
    // The router reads numbers, booleans and objects out of addresses: `?user=42`.
    if (typeof value === 'string') return value === '' ? undefined : value;
    return value === undefined || value === null ? undefined : JSON.stringify(value);
  };
  const word = <Word extends string>(name: string, words: readonly Word[]): Word | undefined =>
    words.find((known) => known === given[name]);
  return {
    tab: word('tab', ['lab', 'tests']),
    q: text('q'),
    schema: text('schema'),
    edit: text('edit'),
    policy: text('policy'),
    as: word('as', callerKinds),
    user: text('user'),
    role: word('role', claimRoles),
    claims: text('claims'),
    keyId: text('keyId'),
    do: word('do', requestKinds),
    table: text('table'),
    query: text('query'),
    values: text('values'),
    fn: text('fn'),
    bucket: text('bucket'),
    key: text('key'),
    access: word('access', fileAccesses),
  };
}

/** The same with the first caller where the address names a caller that is not offered. */
export function withOfferedCaller(
  search: PoliciesSearch,
  offered: readonly CallerKind[],
): PoliciesSearch {
  const { as } = search;
  return as === undefined || offered.includes(as) ? search : { ...search, as: undefined };
}

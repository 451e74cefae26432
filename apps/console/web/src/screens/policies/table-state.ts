// How far a table is open, at a glance.

import { counted } from '../../ui/counted.js';
import type { PolicyTable } from './queries.js';

export type TableState =
  /** Row level security is off, and callers have rights. */
  | { readonly kind: 'open'; readonly words: string }
  /** It is off, and no caller has rights. */
  | { readonly kind: 'unsecured'; readonly words: string }
  | { readonly kind: 'closed'; readonly words: string }
  | { readonly kind: 'secured'; readonly words: string };

type StateFacts = Pick<PolicyTable, 'hasRls' | 'grants'> & {
  readonly policies: readonly { readonly isPermissive: boolean }[];
};

export function stateOf({ hasRls, grants, policies }: StateFacts): TableState {
  const reached = grants.anon.length + grants.authenticated.length > 0;
  if (!hasRls) {
    return reached
      ? { kind: 'open', words: 'Row level security is off: callers reach every row.' }
      : { kind: 'unsecured', words: 'Row level security is off. Callers have no rights on it.' };
  }
  if (!policies.some(({ isPermissive }) => isPermissive)) {
    return { kind: 'closed', words: 'No policy: service_role alone sees rows.' };
  }
  return { kind: 'secured', words: counted(policies.length, 'policy') };
}

/** What a caller needs, for the head of the page. */
export const twoConditions =
  'A caller reaches a row only with both: a right on the table (a grant), and a policy that allows the row.';

const verbs = { select: 'read', insert: 'add', update: 'change', delete: 'delete' } as const;
const commands = ['select', 'insert', 'update', 'delete'] as const;

interface PolicyFacts {
  readonly isPermissive: boolean;
  readonly command: string;
  readonly roles: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
}

type AccessFacts = Pick<PolicyTable, 'hasRls' | 'grants'> & {
  readonly policies: readonly PolicyFacts[];
};

/** Whether a policy can let a role carry out a command. Without USING it lets rows be added and does nothing else. */
export function allows(
  policy: PolicyFacts,
  command: (typeof commands)[number],
  role: string,
): boolean {
  const condition = command === 'insert' ? (policy.check ?? policy.using) : policy.using;
  return (
    policy.isPermissive &&
    condition !== null &&
    (policy.command === 'all' || policy.command === command) &&
    policy.roles.some((of) => of === role || of === 'public')
  );
}

/** What the caller of a role may do with the rows of a table, and which of the two conditions is missing for the rest. */
export function accessInWords(
  { hasRls, grants, policies }: AccessFacts,
  role: 'anon' | 'authenticated',
): string {
  const rights = commands.filter((command) => grants[role].includes(command));
  if (!hasRls) {
    return rights.length === 0
      ? 'reaches no rows: it lacks a right on the table'
      : `may ${listed(rights)} every row: no policy is looked at`;
  }
  const allowed = commands.filter((command) =>
    policies.some((policy) => allows(policy, command, role)),
  );
  const both = rights.filter((command) => allowed.includes(command));
  const rightAlone = rights.filter((command) => !allowed.includes(command));
  const policyAlone = allowed.filter((command) => !rights.includes(command));
  if (rights.length + allowed.length === 0) {
    return 'reaches no rows: it lacks a right on the table and a policy';
  }
  return [
    both.length > 0 ? `may ${listed(both)} the rows that policies allow` : 'reaches no rows',
    ...(rightAlone.length > 0 ? [`it lacks a policy to ${listed(rightAlone)}`] : []),
    ...(policyAlone.length > 0 ? [`it lacks the right to ${listed(policyAlone)} them`] : []),
  ].join('; ');
}

function listed(of: readonly (typeof commands)[number][]): string {
  const words = of.map((command) => verbs[command]);
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

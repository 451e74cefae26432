// What has come of a try, in words.

import { counted } from '../../ui/counted.js';
import type { RefusedRow, TestOutcome, TryResult } from './queries.js';

const verbs = { select: 'read', insert: 'add', update: 'change', delete: 'delete' } as const;

/** Why policies refuse a row, as one sentence. */
export function decisionInWords({ decision }: Pick<RefusedRow, 'decision'>): string {
  const verb = verbs[decision.command];
  const what = decision.clause === 'check' ? `${verb} this version of the row` : `${verb} it`;
  switch (decision.kind) {
    case 'no-policy':
      return `No policy lets this caller ${what}.`;
    case 'no-permissive':
      return decision.policies.length === 1
        ? `${named(decision.policies)} is not true for it, and no other policy lets this caller ${what}.`
        : `None of ${named(decision.policies)} is true for it, so this caller may not ${what}.`;
    case 'restrictive':
      return `${named([decision.policy])} is restrictive and not true for it, so this caller may not ${what}.`;
    case 'error':
      return `${named([decision.policy])} raised an error: ${decision.message}.`;
  }
}

function named(policies: readonly string[]): string {
  const quoted = policies.map((policy) => `“${policy}”`);
  return quoted.length < 2
    ? quoted.join('')
    : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1) ?? ''}`;
}

/** The result as one sentence, for the head of the results and for screen readers. */
export function outcomeInWords({ outcome, count, hidden }: TryResult): string {
  if (outcome.kind === 'refused') {
    return `The request is refused with ${outcome.status} ${outcome.code}: ${outcome.message}`;
  }
  const reached = count === null ? 'The request is answered' : `${rowsInWords(count)} reached`;
  if (!hidden || hidden.count === null) return `${reached}.`;
  const more = hidden.isBounded ? ' of the first 1,000' : '';
  return `${reached}, ${rowsInWords(hidden.count)}${more} hidden.`;
}

export function rowsInWords(count: number): string {
  return count === 0 ? 'no rows' : counted(count, 'row');
}

const needsBoth = 'it needs both a right on the table and a policy.';

/** Why rows are missing although no policy is named: rights, or row level security that is off. */
export function tableInWords({ table, caller, outcome }: TryResult): string | undefined {
  if (!table) return undefined;
  const { role } = caller;
  if (outcome.kind === 'refused' && outcome.code === '42501' && table.grants.length === 0) {
    return `The role ${role} lacks a right on ${table.schema}.${table.name}: ${needsBoth}`;
  }
  if (!table.hasRls) {
    return `Row level security is off on ${table.schema}.${table.name}: every role with rights on it reaches all rows.`;
  }
  return table.isSecured ? undefined : `The role ${role} bypasses row level security.`;
}

/** What a test expects, in words. */
export function expectationInWords(expected: TestOutcome['expected']): string {
  switch (expected.kind) {
    case 'rows':
      return rowsInWords(expected.count);
    case 'keys':
      return `the rows ${expected.keys.map((key) => keyInWords(key)).join(', ') || 'of no key'}`;
    case 'refused':
      return `a refusal with ${expected.code}`;
  }
}

/** How a test has ended, in words. */
export function actualInWords(actual: TestOutcome['actual']): string {
  if (actual.kind === 'refused') return `a refusal with ${actual.code}: ${actual.message}`;
  return actual.keys && actual.keys.length <= 20
    ? `the rows ${actual.keys.map((key) => keyInWords(key)).join(', ') || 'of no key'}`
    : rowsInWords(actual.count ?? 0);
}

function keyInWords(key: unknown): string {
  if (typeof key !== 'object' || key === null) return JSON.stringify(key);
  return Object.values(key)
    .map((value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join('/');
}

export function passedInWords(count: number): string {
  return count === 1 ? 'The test passed.' : `All ${counted(count, 'test')} passed.`;
}

/** Who asks for what in a test, in words. */
export function triedInWords(as: unknown, request: unknown): string {
  return `${callerInWords(fieldsOf(as))} ${requestInWords(fieldsOf(request))}`;
}

type Fields = Readonly<Record<string, unknown>>;

const accessVerbs: Readonly<Record<string, string>> = {
  read: 'reads',
  write: 'writes',
  delete: 'deletes',
};

function callerInWords(as: Fields): string {
  switch (as['kind']) {
    case 'anon':
      return 'A visitor';
    case 'user':
      return `The user ${textOf(as['userId'])}`;
    case 'claims':
      return `A caller with the role ${textOf(as['role'])} and the claims ${textOf(as['claims'])}`;
    default:
      return `The key ${textOf(as['keyId'])}`;
  }
}

function requestInWords(request: Fields): string {
  const query = textOf(request['query']);
  const where = query === '' ? '' : ` with ${query}`;
  const table = textOf(request['table']);
  switch (request['kind']) {
    case 'select':
      return `reads ${table}${where}`;
    case 'insert':
      return `adds to ${table} ${textOf(request['values'])}`;
    case 'update':
      return `changes ${table}${where} to ${textOf(request['values'])}`;
    case 'delete':
      return `deletes from ${table}${where}`;
    case 'rpc':
      return `calls ${textOf(request['function'])}(${textOf(request['arguments'])})`;
    default:
      return `${accessVerbs[textOf(request['access'])] ?? 'uses'} the file ${textOf(request['bucket'])}/${textOf(request['key'])}`;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

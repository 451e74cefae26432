import { expect, test } from 'vitest';

import {
  actualInWords,
  decisionInWords,
  expectationInWords,
  outcomeInWords,
  tableInWords,
  triedInWords,
} from './decision-words.js';
import type { TryResult } from './queries.js';

const using = { command: 'select', clause: 'using' } as const;

test.each([
  [{ kind: 'no-policy', ...using }, 'No policy lets this caller read it.'],
  [
    { kind: 'no-permissive', ...using, policies: ['own'] },
    '“own” is not true for it, and no other policy lets this caller read it.',
  ],
  [
    { kind: 'no-permissive', command: 'insert', clause: 'check', policies: ['a', 'b', 'c'] },
    'None of “a”, “b” and “c” is true for it, so this caller may not add this version of the row.',
  ],
  [
    { kind: 'restrictive', command: 'delete', clause: 'using', policy: 'kept' },
    '“kept” is restrictive and not true for it, so this caller may not delete it.',
  ],
  [
    { kind: 'error', ...using, policy: 'odd', message: 'division by zero' },
    '“odd” raised an error: division by zero.',
  ],
] as const)('%o', (decision, words) => {
  // The schema of the API has lists that may be changed.
  expect(decisionInWords({ decision: structuredClone(decision) as never })).toBe(words);
});

const result: TryResult = {
  caller: { role: 'anon', claims: null },
  outcome: { kind: 'answered', status: 200, body: [] },
  count: 2,
  keys: null,
  table: { schema: 'public', name: 'notes', hasRls: true, isSecured: true, grants: ['select'] },
  policies: [],
  hidden: { count: 1, isBounded: false, rows: [] },
  refusedRows: [],
  durationMs: 3,
};

test('what came of a try is one sentence', () => {
  expect(outcomeInWords(result)).toBe('2 rows reached, 1 row hidden.');
  expect(outcomeInWords({ ...result, hidden: null })).toBe('2 rows reached.');
  const bounded = { count: 900, isBounded: true, rows: [] };
  expect(outcomeInWords({ ...result, hidden: bounded })).toBe(
    '2 rows reached, 900 rows of the first 1,000 hidden.',
  );
});

test('what is not about policies is said, too', () => {
  expect(tableInWords(result)).toBeUndefined();
  const table = { schema: 'public', name: 'notes', hasRls: false, isSecured: false, grants: [] };
  expect(tableInWords({ ...result, table })).toMatch('Row level security is off');
  expect(tableInWords({ ...result, table: { ...table, hasRls: true } })).toMatch('bypasses');
  const problem = { code: '42501', message: '', details: null, hint: null };
  const outcome = { kind: 'refused' as const, status: 401, ...problem };
  expect(tableInWords({ ...result, outcome, table })).toBe(
    'The role anon lacks a right on public.notes: it needs both a right on the table and a policy.',
  );
});

test('what a test expects, and what it got, are in the same words', () => {
  expect(expectationInWords({ kind: 'keys', keys: [{ id: 1 }, { a: 'x', b: 2 }] })).toBe(
    'the rows 1, x/2',
  );
  expect(actualInWords({ kind: 'answered', count: 1, keys: [{ id: 1 }] })).toBe('the rows 1');
  expect(expectationInWords({ kind: 'rows', count: 0 })).toBe('no rows');
  expect(actualInWords({ kind: 'refused', code: '42501', message: 'no' })).toBe(
    'a refusal with 42501: no',
  );
});

test.each([
  [
    { kind: 'anon' },
    { kind: 'select', table: 'notes', query: 'id=eq.1' },
    'A visitor reads notes with id=eq.1',
  ],
  [
    { kind: 'user', userId: 'u1' },
    { kind: 'delete', table: 'notes' },
    'The user u1 deletes from notes',
  ],
  [
    { kind: 'claims', role: 'anon', claims: {} },
    { kind: 'insert', table: 'notes', values: { id: 1 } },
    'A caller with the role anon and the claims {} adds to notes {"id":1}',
  ],
  [
    { kind: 'key', keyId: 'k1' },
    { kind: 'file', access: 'read', bucket: 'b', key: 'a/c.png' },
    'The key k1 reads the file b/a/c.png',
  ],
  [
    { kind: 'anon' },
    { kind: 'rpc', function: 'add', arguments: { a: 1 } },
    'A visitor calls add({"a":1})',
  ],
])('%o %o', (as, request, words) => {
  expect(triedInWords(as, request)).toBe(words);
});

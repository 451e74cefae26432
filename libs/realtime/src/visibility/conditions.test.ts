import { expect, test } from 'vitest';

import { callerReads, columnsIn } from './conditions.js';
import { factsOf, type TableFacts } from './facts.js';
import { groupAudiences } from './layout.js';

function factsWith(names: readonly string[]): TableFacts {
  const columns = names.map((name) => ({ name, type: 'text', isReadable: true, isBuiltIn: true }));
  const facts = factsOf([JSON.stringify({ alias: 'notes', columns, conditions: [] }), 'x', null]);
  if (!facts) throw new Error('No facts');
  return facts;
}

test.each([
  {
    name: 'whole names are columns, not parts of them',
    condition: '(owner = auth.uid())',
    columns: ['owner', 'own', 'wner'],
    read: ['owner'],
  },
  {
    name: 'names in quotes are whole, too',
    condition: '("Owner of" = auth.uid() OR "a""b")',
    columns: ['Owner of', 'Owner', 'of', 'a"b', 'a', 'b'],
    read: ['Owner of', 'a"b'],
  },
  {
    name: 'texts name no columns',
    condition: `(state = 'it''s "open" and own')`,
    columns: ['state', 'open', 'own', 's'],
    read: ['state'],
  },
  {
    name: 'functions, types and new names are no columns',
    condition: `((owner)::text = ( SELECT auth.uid() AS uid) AND lower(title) = "Fn"(title))`,
    columns: ['owner', 'text', 'uid', 'lower', 'title', 'Fn'],
    read: ['owner', 'title'],
  },
  {
    name: 'columns behind the name of the table, and in arguments',
    condition: '(EXISTS ( SELECT 1 FROM members m WHERE m.room = notes.room AND f(notes.kind)))',
    columns: ['room', 'kind', 'rooms'],
    read: ['room', 'kind'],
  },
  {
    name: 'a whole row is all columns',
    condition: '(mine(notes.*))',
    columns: ['owner', 'own'],
    read: ['owner', 'own'],
  },
])('$name', ({ condition, columns, read }) => {
  expect(columnsIn(condition, factsWith(columns))).toEqual(read);
});

interface Tree {
  readonly nodes?: readonly string[];
  readonly functions?: readonly string[];
  readonly hasOwnTypes?: boolean;
}

function readsOf(condition: string, { nodes = [], functions = [], hasOwnTypes = false }: Tree) {
  const facts = factsOf([
    JSON.stringify({ alias: 'notes', columns: [], conditions: [[true, condition]] }),
    'x',
    JSON.stringify([{ nodes: ['OPEXPR', ...nodes], functions, hasOwnTypes, hasWholeRow: false }]),
  ]);
  if (!facts) throw new Error('No facts');
  return callerReads(facts);
}
const sublink = ['SUBLINK', 'QUERY', 'TARGETENTRY', 'FROMEXPR'];

test.each([
  {
    name: 'a claim',
    condition: `(org = (auth.jwt() ->> 'org'::text))`,
    tree: { functions: ['immutable', 'claim', 'immutable'] },
    reads: { subject: false, claims: ['org'] },
  },
  {
    name: 'a claim with a quote, in a sub-select, and a cast',
    condition: `(org = ( SELECT (auth.jwt() ->> 'it''s'::text))::uuid)`,
    tree: { nodes: [...sublink, 'COERCEVIAIO'], functions: ['immutable', 'claim', 'immutable'] },
    reads: { subject: false, claims: ["it's"] },
  },
  {
    name: 'a claim under another name',
    condition: `(org = ( SELECT (auth.jwt() ->> 'org'::text) AS "My org"))`,
    tree: { nodes: sublink, functions: ['immutable', 'claim', 'immutable'] },
    reads: { subject: false, claims: ['org'] },
  },
  {
    name: 'the id and the role',
    condition: '((owner = auth.uid()) OR (( SELECT auth.role() AS role) = kind))',
    tree: { nodes: sublink, functions: ['immutable', 'uid', 'claim', 'immutable'] },
    reads: { subject: true, claims: ['role'] },
  },
  {
    name: 'nothing, where a text has the name of a function',
    condition: `(label <> 'auth.uid() or (auth.jwt() ->> ''org''::text)')`,
    tree: { functions: ['immutable'] },
    reads: { subject: false, claims: [] },
  },
  {
    name: 'everything, by an operator that gives JSON',
    condition: `((auth.jwt() -> 'org'::text) = org)`,
    tree: { functions: ['claim', 'immutable', 'immutable'] },
  },
  {
    name: 'everything, by a claim whose name is in a column',
    condition: '((auth.jwt() ->> kind) = org)',
    tree: { functions: ['claim', 'immutable', 'immutable'] },
  },
  {
    name: 'everything, by a function that is not built in, or reads settings',
    condition: `(org = (auth.jwt() ->> 'org'::text))`,
    tree: { functions: ['immutable', 'claim', 'immutable', 'other'] },
  },
  {
    name: 'everything, by a call that the text does not show',
    condition: `(org = (auth.jwt() ->> 'org'::text))`,
    tree: { functions: ['immutable', 'claim', 'claim', 'immutable'] },
  },
  {
    name: 'everything, by a sub-select on another table',
    condition: `(EXISTS ( SELECT 1 FROM members WHERE (org = (auth.jwt() ->> 'org'::text))))`,
    tree: { nodes: [...sublink, 'RTE'], functions: ['immutable', 'claim', 'immutable'] },
  },
  {
    name: 'everything, by a cast to a type of the project',
    condition: `(kind = (auth.jwt() ->> 'kind'::text)::kind)`,
    tree: { nodes: ['COERCEVIAIO'], functions: ['immutable', 'claim'], hasOwnTypes: true },
  },
])('a policy reads of its caller $name', ({ condition, tree, reads }) => {
  expect(readsOf(condition, tree)).toEqual(reads);
});

test('callers between whom the policies see no difference are judged once', () => {
  const audiences = [
    { subject: 'ann', claims: '{"sub":"ann","org":"a","session_id":"1"}' },
    { subject: 'ann', claims: '{"sub":"ann","org":"a","session_id":"2"}' },
    { subject: 'bob', claims: '{"sub":"bob","org":"a"}' },
    { subject: 'cat', claims: '{"sub":"cat","org":"b"}' },
    { subject: '', claims: '{"sub":"ann","org":"a"}' },
  ];
  const groupsFor = (reads: Parameters<typeof groupAudiences>[2]) =>
    groupAudiences(audiences, 'loop', reads).groupOf;
  expect(groupsFor({ subject: false, claims: ['org'] })).toEqual([0, 0, 0, 1, 0]);
  expect(groupsFor({ subject: true, claims: ['org'] })).toEqual([0, 0, 1, 2, 3]);
  expect(groupsFor({ subject: false, claims: [] })).toEqual([0, 0, 0, 0, 0]);
  expect(groupsFor(undefined)).toEqual([0, 1, 2, 3, 4]);
});

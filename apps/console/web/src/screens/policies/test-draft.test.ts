import { describe, expect, test } from 'vitest';

import { changeOf, draftOf, type TestDraft } from './test-draft.js';

const saved = {
  name: 'Ada reads her notes',
  as: { kind: 'user', userId: 'ada' },
  // `prefer` is not in the form.
  request: { kind: 'select', table: 'notes', query: 'order=id', prefer: 'count=exact' },
  expect: { kind: 'keys', keys: [{ id: 1 }] },
};
const changed = (fields: Partial<TestDraft>, of = saved) =>
  changeOf(of, { ...draftOf(of), ...fields });

test.each([
  { kind: 'anon' },
  { kind: 'user', userId: 'ada' },
  { kind: 'claims', role: 'authenticated', claims: { sub: 'x' } },
  { kind: 'key', keyId: 'k1' },
])('nothing is changed in a form that nobody has touched: %j', (as) => {
  const of = { ...saved, as };
  expect(changeOf(of, draftOf(of))).toEqual({ kind: 'ready', change: {} });
});

test.each([
  { kind: 'insert', table: 'notes', values: [{ id: 1 }] },
  { kind: 'update', table: 'notes', query: 'id=eq.1', values: { id: 2 } },
  { kind: 'delete', table: 'notes', query: '' },
  { kind: 'rpc', function: 'add', arguments: { a: 1 } },
  { kind: 'file', access: 'write', bucket: 'photos', key: 'a/b.png' },
])('a request goes into the form and out again: %j', (request) => {
  const of = { ...saved, request };
  const other = { ...draftOf(of), lab: { ...draftOf(of).lab, as: 'anon' as const } };
  expect(changeOf(of, other)).toEqual({ kind: 'ready', change: { as: { kind: 'anon' } } });
  const back = changeOf({ ...of, request: { kind: 'select', table: 'x', query: '' } }, draftOf(of));
  expect(back).toMatchObject({ change: { request } });
});

describe('what was changed is sent alone', () => {
  test.each([
    { name: 'the name', fields: { name: ' Ada ' }, change: { name: 'Ada' } },
    {
      name: 'the expectation',
      fields: { kind: 'rows', count: '2' },
      change: { expect: { kind: 'rows', count: 2 } },
    },
    {
      name: 'the keys',
      fields: { keys: '[{"id": 2}]' },
      change: { expect: { kind: 'keys', keys: [{ id: 2 }] } },
    },
    {
      name: 'a refusal',
      fields: { kind: 'refused', code: ' 42501 ' },
      change: { expect: { kind: 'refused', code: '42501' } },
    },
  ] as const)('$name', ({ fields, change }) => {
    expect(changed(fields)).toEqual({ kind: 'ready', change });
  });
});

test.each([
  { fields: { name: ' ' }, problem: 'Enter a name.' },
  { fields: { kind: 'rows', count: 'many' }, problem: 'Enter a number of rows.' },
  { fields: { keys: '{}' }, problem: 'The keys must be a list in JSON.' },
  { fields: { kind: 'refused' }, problem: 'Enter the code of the refusal.' },
  { fields: { lab: { as: 'user' } }, problem: 'Choose a user.' },
] as const)('$problem', ({ fields, problem }) => {
  expect(changed(fields)).toEqual({ kind: 'unready', problem });
});

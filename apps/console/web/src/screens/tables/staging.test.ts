import { describe, expect, test } from 'vitest';

import {
  addRow,
  deleteKnown,
  type KnownRow,
  knownRow,
  knownSaved,
  nothingStaged,
  ordered,
  rebase,
  type SentChange,
  sentChange,
  setCell,
  setNewCell,
  type Staged,
  stagedSince,
  undoOf,
  without,
} from './staging.js';

function rowWith(values: Record<string, string | null>): KnownRow {
  const row = knownRow(['id'], values);
  if (!row) throw new Error('the row has no key');
  return row;
}
const row = rowWith({ id: '1', name: 'Ada', note: null });

describe('a cell', () => {
  test('that is set is a change with the value that was read', () => {
    const staged = setCell(nothingStaged, row, 'name', 'Grace');
    expect([...staged.values()].map(sentChange)).toEqual([
      { kind: 'update', key: { id: '1' }, was: { name: 'Ada' }, values: { name: 'Grace' } },
    ]);
  });

  test('that is set back is no change', () => {
    const staged = setCell(nothingStaged, row, 'name', 'Grace');
    expect(setCell(staged, row, 'name', 'Ada')).toEqual(nothingStaged);
  });

  test.each([
    { name: 'NULL after an empty text', from: '', to: null },
    { name: 'an empty text after NULL', from: null, to: '' },
  ])('$name is a change', ({ from, to }) => {
    const staged = setCell(nothingStaged, rowWith({ id: '1', note: from }), 'note', to);
    expect([...staged.values()]).toMatchObject([{ values: { note: to } }]);
  });

  test('keeps the first read value when the row is read again meanwhile', () => {
    const staged = setCell(nothingStaged, row, 'name', 'Grace');
    const later = rowWith({ id: '1', name: 'theirs', note: null });
    const both = setCell(staged, later, 'note', 'x');
    expect([...both.values()].map(sentChange)).toMatchObject([
      { was: { name: 'Ada', note: null }, values: { name: 'Grace', note: 'x' } },
    ]);
  });

  test('of a deleted row cannot be set', () => {
    const staged = deleteKnown(nothingStaged, row);
    expect(setCell(staged, row, 'name', 'Grace')).toBe(staged);
  });
});

describe('a new row', () => {
  test('sends the values that were given, so that others have their defaults', () => {
    const { staged, id } = addRow(nothingStaged);
    const filled = setNewCell(setNewCell(staged, id, 'name', 'Ada'), id, 'note', 'x');
    const changed = setNewCell(filled, id, 'note', undefined);
    expect([...changed.values()].map(sentChange)).toEqual([
      { kind: 'insert', values: { name: 'Ada' } },
    ]);
  });

  test('has an id of its own after another was taken back', () => {
    const one = addRow(nothingStaged);
    const two = addRow(one.staged);
    const three = addRow(without(two.staged, one.id));
    expect(three.staged.size).toBe(2);
  });
});

test('a deleted row sends all values that were read, also those that were changed before', () => {
  const staged = deleteKnown(setCell(nothingStaged, row, 'name', 'Grace'), row);
  expect([...staged.values()].map(sentChange)).toEqual([
    { kind: 'delete', key: { id: '1' }, was: { id: '1', name: 'Ada', note: null } },
  ]);
});

test('rows are deleted first and inserted last', () => {
  const { staged } = addRow(nothingStaged);
  const all = deleteKnown(
    setCell(staged, rowWith({ id: '2', name: 'x' }), 'name', 'y'),
    rowWith({ id: '3' }),
  );
  expect(ordered(all).map(([, { kind }]) => kind)).toEqual(['delete', 'update', 'insert']);
});

test.each([
  { name: 'without a primary key', primaryKey: [], values: { id: '1' } },
  { name: 'with a key that was not read', primaryKey: ['id'], values: { name: 'x' } },
])('a row $name has no identity', ({ primaryKey, values }) => {
  expect(knownRow(primaryKey, values)).toBeUndefined();
});

test('keys of several columns do not run into each other', () => {
  const ids = [
    { a: 'x,y', b: 'z' },
    { a: 'x', b: 'y,z' },
    { a: 'x","y', b: 'z' },
  ].map((values) => knownRow(['a', 'b'], values)?.id);
  expect(new Set(ids).size).toBe(3);
});

describe('a conflict that is settled for the change', () => {
  test('applies it to the row as it is now', () => {
    const staged = setCell(nothingStaged, row, 'name', 'Grace');
    const now = { id: '1', name: 'theirs', note: null };
    expect([...rebase(staged, row.id, now).values()].map(sentChange)).toMatchObject([
      { was: { name: 'theirs' }, values: { name: 'Grace' } },
    ]);
  });

  test('leaves nothing where both have set the same value', () => {
    const staged = setCell(nothingStaged, row, 'name', 'Grace');
    expect(rebase(staged, row.id, { id: '1', name: 'Grace', note: null }).size).toBe(0);
  });
});

test('undo takes back in the opposite order, without columns that the database computes', () => {
  const { staged, id } = addRow(nothingStaged);
  const filled = setNewCell(staged, id, 'name', 'new');
  const all = deleteKnown(
    setCell(filled, row, 'id', '9'),
    rowWith({ id: '2', name: 'gone', double: '4' }),
  );
  const changes = ordered(all).map(([, change]) => change);
  const rows = [null, { id: '9', name: 'Ada' }, { id: '3', name: 'new' }];
  const table = { primaryKey: ['id'], generated: new Set(['double']) };
  expect(undoOf(changes, rows, table)).toEqual([
    { kind: 'delete', key: { id: '3' }, was: { id: '3', name: 'new' } },
    { kind: 'update', key: { id: '9' }, was: { id: '9' }, values: { id: '1' } },
    { kind: 'insert', values: { id: '2', name: 'gone' } },
  ]);
});

test('a saved row is found by the id that its change had; a deleted one is not', () => {
  const [moved, added] = [
    { id: '9', name: 'Ada' },
    { id: '3', name: 'new' },
  ];
  const rows = new Map([
    ['row:["2"]', null],
    [row.id, moved],
    ['new:1', added],
  ]);
  expect(knownSaved({ rows, primaryKey: ['id'] })).toEqual(
    new Map([
      [row.id, { id: 'row:["9"]', key: { id: '9' }, values: moved }],
      ['new:1', { id: 'row:["3"]', key: { id: '3' }, values: added }],
    ]),
  );
});

describe('what is changed while a save is under way', () => {
  const other = rowWith({ id: '2', name: 'Bob' });
  const begun = addRow(setCell(nothingStaged, row, 'name', 'Grace'));
  const sent = setNewCell(begun.staged, begun.id, 'name', 'new');
  const saved = {
    rows: new Map([
      [row.id, { id: '1', name: 'Grace', note: null }],
      [begun.id, { id: '3', name: 'new', note: null }],
    ]),
    primaryKey: ['id'],
  };
  const left = (now: Staged): readonly SentChange[] =>
    [...stagedSince(now, sent, saved).values()].map(sentChange);

  test.each([
    { name: 'nothing: nothing is staged', now: sent, staged: [] },
    {
      name: 'another row',
      now: setCell(sent, other, 'name', 'Eve'),
      staged: [{ kind: 'update', key: { id: '2' }, was: { name: 'Bob' }, values: { name: 'Eve' } }],
    },
    {
      name: 'the same row, which is changed as it is now',
      now: setCell(setCell(sent, row, 'name', 'Joan'), row, 'note', 'x'),
      staged: [
        {
          kind: 'update',
          key: { id: '1' },
          was: { name: 'Grace', note: null },
          values: { name: 'Joan', note: 'x' },
        },
      ],
    },
    {
      name: 'the new row, which exists now',
      now: setNewCell(sent, begun.id, 'note', 'y'),
      staged: [{ kind: 'update', key: { id: '3' }, was: { note: null }, values: { note: 'y' } }],
    },
    {
      name: 'a row that is to be deleted after all',
      now: deleteKnown(sent, row),
      staged: [{ kind: 'delete', key: { id: '1' }, was: { id: '1', name: 'Grace', note: null } }],
    },
  ])('$name', ({ now, staged }) => {
    expect(left(now)).toEqual(staged);
  });
});

import { expect, test } from 'vitest';

import { type GridRow, gridRows, placeholders } from './grid-row.js';
import { addRow, knownRow, nothingStaged } from './staging.js';
import { type RowsOfGrid, rowSince, rowsToShow } from './use-held-rows.js';

const primaryKey = ['id'];
const values = ['1', '2'].map((id) => ({ id, name: `row ${id}` }));
const added = addRow(nothingStaged, { name: 'new' });
/** The rows of the grid with these of the server, and one that is new before them. */
const rowsOf = (server: readonly (typeof values)[number][], staged = added.staged): RowsOfGrid => {
  const count = server.length;
  const source = { rows: new Map(server.entries()), first: 0, count, primaryKey };
  return { rows: gridRows(placeholders(0, count), source, staged), settled: undefined };
};
const before = rowsOf(values);
const after = rowsOf([...values, { id: '3', name: 'new' }], nothingStaged);

test.each([
  { name: 'no cell is edited', latest: after, edited: undefined, shown: after },
  { name: 'the edited row has another number', latest: after, edited: 2, shown: before },
  { name: 'the edited row is gone', latest: after, edited: 0, shown: before },
  { name: 'rows after the edited one change', latest: rowsOf(values.slice(0, 1)), edited: 1 },
])('the grid shows the right rows when $name', ({ latest, edited, shown = latest }) => {
  const held = edited === undefined ? undefined : { ...before, edited };
  expect(rowsToShow(latest, held).rows).toBe(shown.rows);
});

test('a row that was saved is the one that the server has; others stay', () => {
  const known = knownRow(primaryKey, { id: '3', name: 'new' });
  if (!known) throw new Error('the row has a key');
  const settled = { rows: new Map([[added.id, known]]) };
  const [fresh, other] = before.rows;
  expect(fresh && rowSince(fresh, settled)).toMatchObject({ id: known.id, known });
  expect(other && rowSince(other, settled)).toBe(other);
  const unread: GridRow | undefined = placeholders(0, 1)[0];
  expect(unread && rowSince(unread, settled)).toBe(unread);
});

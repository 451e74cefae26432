import { expect, test } from 'vitest';

import { addTab, changeTab, closeTab, freeName, isChanged, noTabs, readTabs } from './tabs.js';

const tab = (id: string) => ({ id, name: `Query ${id}`, sql: `select ${id}` });
const three = ['1', '2', '3'].map(tab).reduce((tabs, each) => addTab(tabs, each), noTabs);
const ids = ({ list }: typeof three) => list.map(({ id }) => id);

test('a new tab is open; one that is there is opened again', () => {
  expect([ids(three), three.last]).toEqual([['1', '2', '3'], '3']);
  const again = addTab(three, { ...tab('1'), sql: 'other' });
  expect([again.list, again.last]).toEqual([three.list, '1']);
});

test.each([
  { closed: '3', last: '2' },
  { closed: '1', last: '2' },
  { closed: '2', last: '3' },
])('the neighbor of the closed tab $closed is open next', ({ closed, last }) => {
  expect(closeTab({ ...three, last: closed }, closed).last).toBe(last);
});

test('a tab that is not open is closed without a change of the open one', () => {
  expect(closeTab(three, '1')).toMatchObject({ last: '3' });
  expect(closeTab(closeTab(closeTab(three, '1'), '2'), '3')).toEqual(noTabs);
});

test('a closed tab comes back at its place', () => {
  expect(ids(addTab(closeTab(three, '2'), tab('2'), 1))).toEqual(['1', '2', '3']);
});

test('a saved tab takes the id of its query', () => {
  const saved = changeTab(three, '3', { id: 'saved', savedSql: 'select 3' });
  expect([ids(saved), saved.last]).toEqual([['1', '2', 'saved'], 'saved']);
});

test.each([
  { name: 'an empty new tab', sql: ' ', savedSql: undefined, changed: false },
  { name: 'a new tab with text', sql: 'a', savedSql: undefined, changed: true },
  { name: 'a saved text', sql: 'a', savedSql: 'a', changed: false },
  { name: 'another text', sql: 'b', savedSql: 'a', changed: true },
])('$name', ({ changed, ...texts }) => {
  expect(isChanged({ ...tab('1'), ...texts })).toBe(changed);
});

test('names are numbered', () => {
  expect(freeName(three)).toBe('Query 4');
  expect(freeName(closeTab(three, '2'))).toBe('Query 2');
});

test('what is stored is read; anything else is no tab', () => {
  expect(readTabs(JSON.stringify(three))).toEqual(three);
  for (const text of [null, '', '{', '[]', '{"list":1}']) expect(readTabs(text)).toEqual(noTabs);
  expect(readTabs('{"list":[{"id":1},null]}').list).toEqual([]);
});

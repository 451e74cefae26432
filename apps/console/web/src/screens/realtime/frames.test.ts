import { expect, test } from 'vitest';

import { changeLine, presenceLine } from './frames.js';

const change = {
  table: 'planets',
  new: { name: 'Mars' },
  old: {},
  commit_timestamp: '2026-11-27T12:00:00.123456+00:00',
};

test('a change shows its row, a deletion the row that was', () => {
  const inserted = changeLine({ ...change, eventType: 'INSERT' });
  expect(inserted).toMatchObject({ title: 'INSERT planets', preview: '{"name":"Mars"}' });
  expect(inserted.writtenAt).toBe(Date.UTC(2026, 10, 27, 12, 0, 0, 123));
  const deleted = changeLine({ ...change, eventType: 'DELETE', new: {}, old: { id: 1 } });
  expect(deleted.preview).toBe('{"id":1}');
});

const ada = { presence_ref: 'a', name: 'Ada' };
const bob = { presence_ref: 'b', name: 'Bob' };

test.each([
  { name: 'a newcomer', before: {}, after: { ada: [ada] }, preview: 'joined: ada' },
  { name: 'who has left', before: { ada: [ada] }, after: {}, preview: 'left: ada' },
  {
    name: 'another payload',
    before: { ada: [ada] },
    after: { ada: [{ ...ada, name: 'A.' }] },
    preview: 'changed: ada',
  },
  {
    name: 'all at once',
    before: { ada: [ada] },
    after: { bob: [bob] },
    preview: 'joined: bob; left: ada',
  },
])('presence shows $name', ({ before, after, preview }) => {
  expect(presenceLine(before, after)?.preview).toBe(preview);
});

test('another reference, or the same member twice, is nothing new', () => {
  const again = { ...ada, presence_ref: 'c' };
  expect(presenceLine({ ada: [ada] }, { ada: [again] })).toBeUndefined();
  expect(presenceLine({ ada: [ada] }, { ada: [ada, again] })).toBeUndefined();
});

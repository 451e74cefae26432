import { describe, expect, test } from 'vitest';

import { changesOf } from './changes.js';
import { outcomeInWords, requestInWords, valuesOf } from './forwarded-requests.js';

const entry = (part: object) => ({
  action: 'project.request',
  target: 'POST /api/admin/sql',
  before: null,
  after: { status: 200 },
  ...part,
});

describe('a forwarded request in words', () => {
  test.each([
    { name: 'a script', target: 'POST /api/admin/sql', words: 'Ran SQL' },
    {
      name: 'rows of the editor, with their table',
      target: 'POST /api/admin/rows/orders',
      words: 'Changed rows of orders',
    },
    {
      name: 'rows over the table API',
      target: 'DELETE /api/rest/v1/order items',
      words: 'Deleted rows of order items',
    },
    {
      name: 'a function before a table',
      target: 'POST /api/rest/v1/rpc/total',
      words: 'Called the function total',
    },
    {
      name: 'a route before a name in its place',
      target: 'POST /api/admin/users/invite',
      words: 'Invited a user',
    },
    {
      name: 'a user in the middle of the path',
      target: 'POST /api/admin/users/u1/deactivate',
      words: 'Deactivated the user u1',
    },
    {
      name: 'the rest of a path',
      target: 'DELETE /api/files/object/docs/a/b.png',
      words: 'Deleted the file a/b.png of the bucket docs',
    },
    {
      name: 'settings with their group',
      action: 'project.settings',
      target: 'PUT /api/admin/settings/auth.urls',
      words: 'Saved the settings auth.urls',
    },
    {
      name: 'the rights of a visitor',
      action: 'project.impersonate',
      target: 'GET /api/rest/v1/orders as anon',
      words: 'Read rows of orders as a visitor',
    },
    {
      name: 'the rights of a user, whatever the table is called',
      action: 'project.impersonate',
      target: 'GET /api/rest/v1/same as before as u1',
      words: 'Read rows of same as before as the user u1',
    },
    {
      name: 'a route without words by method and path',
      target: 'POST /api/admin/new/thing',
      words: 'POST /api/admin/new/thing',
    },
    {
      name: 'a path of more parts by method and path',
      target: 'POST /api/admin/sql/x/y',
      words: 'POST /api/admin/sql/x/y',
    },
  ])('says $name', ({ words, ...part }) => {
    expect(requestInWords(entry(part))).toBe(words);
  });

  test('is none for other entries', () => {
    const other = entry({ action: 'project.rename', target: 'shop' });
    expect(requestInWords(other)).toBeUndefined();
    expect(outcomeInWords(other)).toBeUndefined();
  });
});

test.each([
  { after: { status: 204 }, outcome: undefined },
  { after: { status: 403 }, outcome: 'refused with 403' },
  { after: { status: 502 }, outcome: 'failed with 502' },
  { after: null, outcome: 'the outcome is not known' },
])('an entry with $after was $outcome', ({ after, outcome }) => {
  expect(outcomeInWords(entry({ after }))).toBe(outcome);
});

describe('settings', () => {
  const part = { action: 'project.settings', before: { host: 'old', port: 25 } };

  test('are compared with what they were', () => {
    const after = { status: 200, settings: { host: 'new', port: 25 } };
    const sides = valuesOf(entry({ ...part, after }));
    expect(changesOf(sides.before, sides.after)).toEqual([
      { path: 'settings.host', before: 'old', after: 'new' },
      { path: 'status', before: undefined, after: '200' },
    ]);
  });

  test('that were not changed have not gone', () => {
    const sides = valuesOf(entry({ ...part, after: { status: 400 } }));
    expect(changesOf(sides.before, sides.after)).toEqual([
      { path: 'status', before: undefined, after: '400' },
    ]);
  });
});

import { describe, expect, test } from 'vitest';

import { changesInWords, changesOf, hidden, withoutSecrets } from './changes.js';

describe('the changes of an entry', () => {
  test.each([
    { name: 'none', before: null, after: null, expected: [] },
    {
      name: 'those of fields that differ',
      before: { status: 'active', name: 'Shop' },
      after: { status: 'paused', name: 'Shop' },
      expected: [{ path: 'status', before: 'active', after: 'paused' }],
    },
    {
      name: 'those within a field',
      before: { mail: { from: 'a', port: 25 } },
      after: { mail: { from: 'a', port: 465 } },
      expected: [{ path: 'mail.port', before: '25', after: '465' }],
    },
    {
      name: 'fields that come',
      before: null,
      after: { role: 'viewer', capabilities: ['content.read', 'audit.read'], by: null },
      expected: [
        { path: 'role', before: undefined, after: 'viewer' },
        { path: 'capabilities', before: undefined, after: 'content.read, audit.read' },
        { path: 'by', before: undefined, after: 'null' },
      ],
    },
    {
      name: 'fields that go',
      before: { a: { b: true } },
      after: {},
      expected: [
        { path: 'a.b', before: 'true', after: undefined },
        { path: '', before: undefined, after: '{}' },
      ],
    },
    {
      name: 'a value without names',
      before: 'x',
      after: [1, { y: 2 }],
      expected: [{ path: '', before: 'x', after: '[1,{"y":2}]' }],
    },
  ])('are $name', ({ before, after, expected }) => {
    expect(changesOf(before, after)).toEqual(expected);
  });

  test('show no secret', () => {
    const before = { smtp: { password: 'hunter2' }, key: '[left out]' };
    const after = { smtp: { password: 'hunter3' }, key: '[left out]', set: '__SECRET_SET__' };
    expect(changesOf(before, after)).toEqual([{ path: 'set', before: undefined, after: hidden }]);
    expect(JSON.stringify(withoutSecrets([before, after]))).not.toContain('hunter');
  });

  test('keep what only sounds like one', () => {
    const value = { mustChangePassword: true, token: '', secrets: 2 };
    expect(withoutSecrets(value)).toEqual(value);
  });
});

test.each([
  { changes: [], expected: '' },
  {
    changes: [{ path: 'status', before: 'active', after: 'paused' }],
    expected: 'status: active → paused',
  },
  {
    changes: [
      { path: 'a', before: undefined, after: '1' },
      { path: 'b', before: '2', after: undefined },
      { path: 'c', before: '3', after: '4' },
    ],
    expected: 'a: 1; b: 2 → none; 1 more',
  },
  {
    changes: [{ path: '', before: undefined, after: 'x'.repeat(50) }],
    expected: `${'x'.repeat(40)}…`,
  },
])('$expected', ({ changes, expected }) => {
  expect(changesInWords(changes)).toBe(expected);
});

import { expect, test } from 'vitest';

import { accessInWords } from './table-state.js';

const all = ['select', 'insert', 'update', 'delete'];
const policy = (part: object = {}) => ({
  isPermissive: true,
  command: 'select',
  roles: ['anon'],
  using: 'true' as string | null,
  check: null as string | null,
  ...part,
});
const table = (anon: readonly string[], policies: readonly ReturnType<typeof policy>[]) => ({
  hasRls: true,
  grants: { anon: [...anon], authenticated: [], service_role: [] },
  policies,
});

test.each([
  {
    name: 'rights without a policy reach nothing',
    of: table(all, []),
    words: 'reaches no rows; it lacks a policy to read, add, change and delete',
  },
  {
    name: 'a policy without the right reaches nothing',
    of: table([], [policy()]),
    words: 'reaches no rows; it lacks the right to read them',
  },
  {
    name: 'both together reach rows',
    of: table(['select'], [policy()]),
    words: 'may read the rows that policies allow',
  },
  {
    name: 'a policy without USING lets rows be added and no others be reached',
    of: table(['select', 'insert'], [policy({ command: 'all', using: null, check: 'true' })]),
    words: 'may add the rows that policies allow; it lacks a policy to read',
  },
  {
    name: 'each command has its own conditions',
    of: table(['select', 'insert'], [policy(), policy({ command: 'delete' })]),
    words:
      'may read the rows that policies allow; it lacks a policy to add; it lacks the right to delete them',
  },
  {
    name: 'a policy for everything and everyone counts for each',
    of: table(all, [policy({ command: 'all', roles: ['public'] })]),
    words: 'may read, add, change and delete the rows that policies allow',
  },
  {
    name: 'a policy of another role does not count',
    of: table(['select'], [policy({ roles: ['authenticated'] })]),
    words: 'reaches no rows; it lacks a policy to read',
  },
  {
    name: 'a restrictive policy allows nothing',
    of: table(['select'], [policy({ isPermissive: false })]),
    words: 'reaches no rows; it lacks a policy to read',
  },
  {
    name: 'neither is said as both',
    of: table([], []),
    words: 'reaches no rows: it lacks a right on the table and a policy',
  },
  {
    name: 'without row level security, rights alone decide',
    of: { ...table(['select'], []), hasRls: false },
    words: 'may read every row: no policy is looked at',
  },
  {
    name: 'without both, nothing is reached',
    of: { ...table([], [policy()]), hasRls: false },
    words: 'reaches no rows: it lacks a right on the table',
  },
])('$name', ({ of, words }) => {
  expect(accessInWords(of, 'anon')).toBe(words);
});

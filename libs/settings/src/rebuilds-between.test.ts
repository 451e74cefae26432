import { expect, test } from 'vitest';

import { resolveAll } from './groups.js';
import { rebuildsBetween } from './rebuilds-between.js';

const before = resolveAll({}, {});

test.each([
  { name: 'nothing', stored: {}, rebuilds: [] },
  {
    name: 'a group that is read at each use',
    stored: { 'api.rest': { maxRows: 3 } },
    rebuilds: [],
  },
  { name: 'values that are the defaults', stored: { 'auth.signup': {} }, rebuilds: [] },
  {
    name: 'a method to sign in',
    stored: { 'auth.methods.emailPassword': { enabled: false } },
    rebuilds: ['auth'],
  },
  {
    name: 'groups of several parts',
    stored: {
      storage: { maxUploadBytes: 4096 },
      'auth.urls': { siteUrl: 'https://app.example.com' },
      'api.rest': { maxRows: 3 },
    },
    rebuilds: ['auth', 'http', 'storage'],
  },
  {
    name: 'a secret',
    stored: { 'auth.attackProtection': { captchaSecret: 'changed' } },
    rebuilds: ['auth', 'http'],
  },
])('a change of $name remakes $rebuilds', ({ stored, rebuilds }) => {
  const next = resolveAll(stored, {});
  expect([...rebuildsBetween(before, next)].toSorted()).toEqual(rebuilds);
  expect([...rebuildsBetween(next, before)].toSorted()).toEqual(rebuilds);
});

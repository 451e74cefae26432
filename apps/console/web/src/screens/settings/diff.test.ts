import { expect, test } from 'vitest';

import { differences, secondsInWords } from './diff.js';
import { findGroups, groupOfStatus, placesIn } from './form.js';
import { fields, group } from './sample.js';

const google = { clientId: 'one', clientSecret: '__SECRET_SET__' };
const acme = { id: 'acme', enabled: true };

const changesOf = (versions: Parameters<typeof differences>[1]) =>
  differences(fields, versions).map(({ path, before, after }) => [path, before, after]);

test('values that were stored, changed and left out are named in the order of the form', () => {
  const before = { lifetime: 900, google };
  const after = { words: ['a', 'b'], google: { ...google, clientId: 'two' } };
  expect(changesOf({ before, after })).toEqual([
    ['lifetime', '900 s (15 minutes)', '600 s (10 minutes) (not stored)'],
    ['words', 'one (not stored)', 'a, b'],
    ['google.clientId', 'one', 'two'],
  ]);
  expect(differences(fields, { before, after }).at(-1)?.label).toBe('Google › The clientId');
});

test('of a secret it is said that it was set, changed and removed, and never more', () => {
  const changedSecrets = ['google.clientSecret'];
  expect(changesOf({ before: null, after: { google }, changedSecrets })).toContainEqual([
    'google.clientSecret',
    'not set',
    'set',
  ]);
  expect(changesOf({ before: { google }, after: { google }, changedSecrets })).toEqual([
    ['google.clientSecret', 'set', 'changed'],
  ]);
  expect(changesOf({ before: { google }, after: {}, changedSecrets })).toContainEqual([
    'google.clientSecret',
    'set',
    'removed',
  ]);
  expect(changesOf({ before: { google }, after: { google } })).toEqual([]);
});

test('entries are compared by their key, whatever their order is', () => {
  const other = { id: 'other', enabled: false };
  const before = { providers: [acme, other] };
  const after = { providers: [{ id: 'new' }, other, { ...acme, enabled: false }] };
  expect(changesOf({ before, after })).toEqual([
    ['providers.acme.enabled', 'on', 'off'],
    ['providers.new', 'none', 'added'],
  ]);
  expect(changesOf({ before, after: { providers: [acme] } })).toEqual([
    ['providers.other', 'there', 'removed'],
  ]);
});

test('a field of another release is shown under its name', () => {
  expect(changesOf({ before: { formerly: 1 }, after: {} })).toEqual([['formerly', '1', 'not set']]);
});

test('a group that was not stored has the values of its environment', () => {
  expect(changesOf({ before: null, after: { lifetime: 5 }, unstored: { lifetime: 70 } })).toEqual([
    ['lifetime', '70 s (not stored)', '5 s'],
  ]);
});

test.each([
  [30, ''],
  [300, ' (5 minutes)'],
  [3600, ' (1 hour)'],
  [604_800, ' (7 days)'],
  [90, ''],
])('%s seconds in words: "%s"', (seconds, words) => {
  expect(secondsInWords(seconds)).toBe(words);
});

test('a search finds groups by their words, and by those of their fields', () => {
  expect(findGroups([group], 'sample')[0]?.field).toBeUndefined();
  expect(findGroups([group], 'GOOGLE secret')[0]?.field?.path).toBe('google.clientSecret');
  expect(findGroups([group], 'nothing like it')).toEqual([]);
  expect(placesIn(fields).map(({ path }) => path)).toEqual([
    'lifetime',
    'words',
    'google.enabled',
    'google.clientId',
    'google.clientSecret',
    'providers',
  ]);
});

test('an entry of the readiness report leads to its group and field', () => {
  expect(groupOfStatus('test.sample', [group])).toMatchObject({ field: undefined });
  expect(groupOfStatus('test.sample.google', [group])).toMatchObject({ field: 'google' });
  expect(groupOfStatus('test.samples', [group])).toBeUndefined();
});

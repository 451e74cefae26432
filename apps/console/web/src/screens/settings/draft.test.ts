import { expect, test } from 'vitest';

import {
  bodyOf,
  emptyDraft,
  fieldProblem,
  leavesEnvironment,
  shownValue,
  storedOf,
  withoutSecrets,
  withoutValue,
  withValue,
} from './draft.js';
import { sentinel } from './form.js';
import { fields, stored, untouched } from './sample.js';

const kept = {
  lifetime: 900,
  google: { enabled: true, clientId: 'own', clientSecret: sentinel },
  providers: [{ id: 'acme', enabled: false, clientSecret: sentinel }],
};

test('a group of which nothing is stored is written with what was changed alone', () => {
  expect(storedOf(fields, untouched)).toEqual({});
  const draft = withValue(emptyDraft, untouched, 'lifetime', 300);
  expect(bodyOf(fields, untouched, draft)).toEqual({ lifetime: 300 });
});

test('what is stored is written back, secrets as their sentinel', () => {
  const draft = withValue(emptyDraft, stored, 'words', ['one', 'two']);
  expect(bodyOf(fields, stored, draft)).toEqual({ ...kept, words: ['one', 'two'] });
});

test('a unit that is changed keeps the values of the environment, as far as they are known', () => {
  const draft = withValue(emptyDraft, untouched, 'google.enabled', false);
  expect(bodyOf(fields, untouched, draft)).toEqual({
    google: { enabled: false, clientId: 'from-env' },
  });
});

test('a unit leaves the environment when a field of it is stored, and another field does not do it', () => {
  expect(leavesEnvironment(fields, untouched, { google: { enabled: false } })).toBe(true);
  expect(leavesEnvironment(fields, untouched, { lifetime: 300 })).toBe(false);
  expect(leavesEnvironment(fields, stored, { google: { enabled: false } })).toBe(false);
});

test('a field that returns to its default is left out, and its object with its last field', () => {
  let draft = withoutValue(emptyDraft, stored, 'lifetime');
  for (const name of ['enabled', 'clientId', 'clientSecret']) {
    draft = withoutValue(draft, stored, `google.${name}`);
  }
  expect(bodyOf(fields, stored, draft)).toEqual({ providers: kept.providers });
  expect(shownValue(draft, stored, 'lifetime')).toBe(600);
  expect(shownValue(draft, stored, 'google.clientId')).toBe('from-env');
});

test('the value that a field has anyway is no change', () => {
  const draft = withValue(emptyDraft, stored, 'lifetime', 300);
  expect(draft.size).toBe(1);
  expect(withValue(draft, stored, 'lifetime', 900).size).toBe(0);
  expect(withValue(emptyDraft, untouched, 'google.clientSecret', undefined).size).toBe(0);
});

test('an emptied field is no longer stored', () => {
  const draft = withValue(emptyDraft, stored, 'google.clientId', undefined);
  expect(draft.get('google.clientId')).toEqual({ kind: 'unset' });
});

test.each([
  { message: 'google.clientId: must not be empty', path: 'google.clientId' },
  { message: 'providers[0].id: is required', path: 'providers[0].id' },
  { message: 'issuers[12].jwks-url: must be an http or https URL.', path: 'issuers[12].jwks-url' },
  { message: 'Unknown field: nme', path: undefined },
])('the place in "$message"', ({ message, path }) => {
  expect(fieldProblem(message)?.path).toBe(path);
});

test('a command has no secret that was typed', () => {
  const body = {
    google: { clientId: 'own', clientSecret: 'typed' },
    providers: [
      { id: 'acme', clientSecret: sentinel },
      { id: 'other', clientSecret: 'typed' },
    ],
  };
  expect(withoutSecrets(fields, body)).toEqual({
    google: { clientId: 'own', clientSecret: '<secret>' },
    providers: [
      { id: 'acme', clientSecret: sentinel },
      { id: 'other', clientSecret: '<secret>' },
    ],
  });
});

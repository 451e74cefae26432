import { expect, test } from 'vitest';

import { group } from '../tests/sample-group.js';
import { recordedVersion, restoredBody, secretPathsIn, secretsChanged } from './versions.js';

const sentinel = '__SECRET_SET__';
const provider = (providerId: string, clientSecret: string) => ({ providerId, clientSecret });
const stored = {
  google: { clientId: 'google', clientSecret: 'first' },
  providers: [provider('acme', 'second'), provider('other', 'third')],
};
const version = {
  google: { clientId: 'google', clientSecret: sentinel },
  providers: [provider('acme', sentinel), provider('other', sentinel)],
};

test('a version has every value and no secret', () => {
  expect(recordedVersion(group, stored)).toEqual(version);
});

test('the secrets that have changed are named by the key of their entry', () => {
  const after = {
    google: { clientSecret: 'first' },
    github: { clientSecret: 'new' },
    providers: [provider('other', 'third'), provider('acme', 'changed')],
  };
  expect(secretsChanged(group, stored, after)).toEqual([
    'providers.acme.clientSecret',
    'github.clientSecret',
  ]);
  expect(secretsChanged(group, stored, undefined)).toEqual(secretPathsIn(group, version));
  expect(secretsChanged(group, undefined, undefined)).toEqual([]);
});

test('a restored version takes the current secrets, and leaves out those that are gone', () => {
  const now = { google: { clientSecret: 'newer' }, providers: [provider('other', 'kept')] };
  expect(JSON.parse(JSON.stringify(restoredBody(group, version, now)))).toEqual({
    google: { clientId: 'google', clientSecret: 'newer' },
    providers: [{ providerId: 'acme' }, provider('other', 'kept')],
  });
});

test('a version without a secret does not take the current one', () => {
  const earlier = { google: { clientId: 'google' } };
  expect(restoredBody(group, earlier, stored)).toEqual(earlier);
});

import { describe, expect, test } from 'vitest';
import { newDataKey, seal, sealingKey } from '#libs/secrets';
import { getGroup, unopenedPathsIn } from '#libs/settings';
import { settingsSeal } from './settings-seal.js';

const dataKey = newDataKey();
const key = sealingKey(dataKey);
const projectSeal = settingsSeal('abc', dataKey);

const context = (group: string, path: string) => `project:abc/settings/${group}/${path}`;

interface Sealed {
  readonly name: string;
  readonly path: string;
  readonly valueWith: (secret: string) => Readonly<Record<string, unknown>>;
}

/** One secret at each kind of place. */
const places: readonly Sealed[] = [
  {
    name: 'email.smtp',
    path: 'password',
    valueWith: (password) => ({ host: 'mail.example', password }),
  },
  {
    name: 'auth.social',
    path: 'google.clientSecret',
    valueWith: (clientSecret) => ({ google: { clientId: 'id', clientSecret } }),
  },
  {
    name: 'auth.oauth.custom',
    path: 'providers.acme.clientSecret',
    valueWith: (clientSecret) => ({
      providers: [{ providerId: 'other' }, { providerId: 'acme', clientSecret }],
    }),
  },
];

describe.each(places)('$name: $path', ({ name, path, valueWith }) => {
  test('opens what was sealed for this place before', () => {
    const stored = valueWith(seal(key, 'the secret', context(name, path)));
    expect(projectSeal.open(name, stored)).toEqual(valueWith('the secret'));
  });

  test('is stored sealed for this place, with all else as it is', () => {
    const stored = projectSeal.close(getGroup(name), valueWith('the secret'));
    expect(JSON.stringify(stored)).not.toContain('the secret');
    expect(projectSeal.open(name, stored)).toEqual(valueWith('the secret'));
  });

  test('opens in no other place, and is stored as it was', () => {
    const stored = valueWith(seal(key, 'the secret', context(name, `${path}x`)));
    const open = projectSeal.open(name, stored);
    expect(unopenedPathsIn(getGroup(name), open)).toEqual([path]);
    expect(projectSeal.close(getGroup(name), open)).toEqual(stored);
  });
});

test('entries may change their order, and not take the secrets of each other', () => {
  const name = 'auth.oauth.custom';
  const sealed = (id: string) =>
    seal(key, `of ${id}`, context(name, `providers.${id}.clientSecret`));
  const entry = (providerId: string, clientSecret: string) => ({ providerId, clientSecret });
  expect(
    projectSeal.open(name, { providers: [entry('b', sealed('b')), entry('a', sealed('a'))] }),
  ).toEqual({ providers: [entry('b', 'of b'), entry('a', 'of a')] });
  const open = projectSeal.open(name, { providers: [entry('b', sealed('a'))] });
  expect(unopenedPathsIn(getGroup(name), open)).toEqual(['providers.b.clientSecret']);
});

test('a group that this release does not know stays as it is', () => {
  const value = { password: 'as stored' };
  expect(projectSeal.open('of.tomorrow', value)).toBe(value);
});

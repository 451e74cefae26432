import { describe, expect, test } from 'vitest';
import { deployment, group } from '../tests/sample-group.js';
import { describe as describeGroup } from './describe.js';
import { partsOf, readiness } from './readiness.js';
import { redact, secretSentinel } from './redact.js';
import { resolve } from './resolve.js';
import { mapSecrets } from './secrets.js';

const off = { enabled: false, clientId: undefined, clientSecret: undefined };
const plainEntry = { scopes: ['openid'], mode: 'oidc', note: undefined } as const;
const ofDeployment = { enabled: false, clientId: 'env-github', clientSecret: 'env-github-secret' };

describe('resolve', () => {
  test('objects are always present with their own defaults, entries are none', () => {
    const values = resolve(group, { stored: undefined, env: {} });
    expect(values).toEqual({
      google: off,
      github: off,
      limits: { window: 60, max: 5 },
      providers: [],
    });
    const clientId: string | undefined = values.google.clientId;
    const ids: readonly string[] = values.providers.map(({ providerId }) => providerId);
    const modes: readonly ('oidc' | 'oauth')[] = values.providers.map(({ mode }) => mode);
    // @ts-expect-error a text without a default may be absent
    const certain: string = values.google.clientId;
    // @ts-expect-error there is no such field
    const unknown: unknown = values.google.nothing;
    expect([clientId, certain, unknown, ids, modes]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
      [],
    ]);
  });

  test('a leaf of an object falls back on its own', () => {
    const stored = { limits: { max: 7 } };
    expect(resolve(group, { stored, env: deployment }).limits).toEqual({ window: 30, max: 7 });
  });

  test('an object with a secret takes nothing from the environment once it is stored', () => {
    const stored = { google: { clientId: 'own', enabled: true } };
    const values = resolve(group, { stored, env: deployment });
    expect(values.google).toEqual({ enabled: true, clientId: 'own', clientSecret: undefined });
    expect(values.github).toEqual(ofDeployment);
  });

  test.each<{ name: string; stored: unknown; ids: readonly string[] }>([
    { name: 'no list', stored: { acme: {} }, ids: [] },
    {
      name: 'without a key',
      stored: [{ clientId: 'x' }, 3, { providerId: 'b' }],
      ids: ['b'],
    },
    { name: 'with a key that no longer fits', stored: [{ providerId: 'a b' }], ids: [] },
    {
      name: 'with the key of another one',
      stored: [{ providerId: 'a' }, { providerId: 'a', clientId: 'x' }],
      ids: ['a'],
    },
    {
      name: 'over the limit',
      stored: ['a', 'b', 'c', 'd'].map((providerId) => ({ providerId })),
      ids: ['a', 'b', 'c'],
    },
  ])('a stored entry $name counts as not stored', ({ stored, ids }) => {
    const { providers } = resolve(group, { stored: { providers: stored }, env: {} });
    expect(providers).toEqual(
      ids.map((providerId) => ({
        providerId,
        clientId: undefined,
        clientSecret: undefined,
        ...plainEntry,
      })),
    );
  });
});

describe('secrets', () => {
  const stored = {
    google: { clientId: 'id', clientSecret: 'g' },
    providers: [{ providerId: 'a', clientSecret: 's' }, { providerId: 'b' }, { clientSecret: 'x' }],
  };

  test('a reader sees the sentinel for the stored ones and nothing for the others', () => {
    const entry = { clientId: null, ...plainEntry, note: null };
    expect(redact(group, { stored, env: deployment })).toEqual({
      google: { enabled: false, clientId: 'id', clientSecret: secretSentinel },
      github: { enabled: false, clientId: 'env-github', clientSecret: null },
      limits: { window: 30, max: 5 },
      providers: [
        { ...entry, providerId: 'a', clientSecret: secretSentinel },
        { ...entry, providerId: 'b', clientSecret: null },
      ],
    });
  });

  test('sealing names each by its path, in entries by their key, and changes nothing else', () => {
    const mark = (value: string, path: string): string => `${path}:${value}`;
    expect(mapSecrets(group, stored, mark)).toEqual({
      google: { clientId: 'id', clientSecret: 'google.clientSecret:g' },
      providers: [
        { providerId: 'a', clientSecret: 'providers.a.clientSecret:s' },
        { providerId: 'b' },
        { clientSecret: 'x' },
      ],
    });
    expect(mapSecrets(group, { google: 1, providers: {} }, mark)).toEqual({
      google: 1,
      providers: {},
    });
  });
});

describe('readiness', () => {
  test.each([
    { name: 'all parts off', stored: {}, enabled: false, missing: [] },
    {
      name: 'a part that is on and incomplete',
      stored: { google: { enabled: true } },
      enabled: true,
      missing: ['google.clientId'],
    },
    {
      name: 'an entry that is incomplete',
      stored: { providers: [{ providerId: 'a', clientId: 'x' }, { providerId: 'b' }] },
      enabled: true,
      missing: ['providers[1].clientId'],
    },
    {
      name: 'required paths and parts, without repeating one',
      stored: { google: { enabled: true }, github: { enabled: true } },
      enabled: true,
      missing: ['github.clientId', 'providers', 'google.clientId'],
    },
  ])('$name', ({ stored, enabled, missing }) => {
    const values = resolve(group, { stored, env: {} });
    const configured = missing.length === 0;
    expect(readiness(group, values)).toEqual({ enabled, configured, missing });
  });

  test('parts are told one by one, also those that are off', () => {
    const values = resolve(group, { stored: { providers: [{ providerId: 'a' }] }, env: {} });
    expect(partsOf(group, values)).toEqual([
      { name: 'google', enabled: false, missing: ['google.clientId'] },
      { name: 'a', enabled: true, missing: ['providers[0].clientId'] },
    ]);
  });
});

test('objects and entries are described with the forms of their fields', () => {
  const [, , limits, providers] = describeGroup(group).fields;
  expect(limits).toEqual({
    name: 'limits',
    kind: 'object',
    label: 'Limits',
    help: 'How often.',
    default: null,
    limits: {},
    fields: [
      {
        name: 'window',
        kind: 'integer',
        label: 'Window',
        default: 60,
        limits: { min: 1, max: 100, isClamped: true },
      },
      {
        name: 'max',
        kind: 'integer',
        label: 'Most',
        default: 5,
        limits: { min: 1, max: 100, isClamped: true },
      },
    ],
  });
  expect(providers).toMatchObject({
    kind: 'entries',
    key: 'providerId',
    default: [],
    limits: { maxItems: 3 },
  });
  expect(providers).toHaveProperty('fields.5', {
    name: 'note',
    kind: 'text',
    label: 'Note',
    default: null,
    limits: { maxLength: 100, multiline: true },
  });
});

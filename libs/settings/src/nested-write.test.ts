import { describe, expect, test } from 'vitest';
import { AppError } from '#libs/errors';
import { deployment, group } from '../tests/sample-group.js';
import { applyWrite } from './apply-write.js';
import { redact, secretSentinel } from './redact.js';
import { resolve, type Environment } from './resolve.js';

function write(body: unknown, stored?: unknown, env: Environment = {}) {
  return applyWrite(group, { stored, env, body });
}

/** The refusal of a write as `CODE path: reason`. */
function refusal(body: unknown, stored?: unknown): string {
  try {
    write(body, stored);
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new Error('the write was accepted');
}

describe('applyWrite', () => {
  test('stores what was sent, objects as a whole and entries in their order', () => {
    const stored = {
      google: { enabled: true, clientId: 'old', clientSecret: 'old' },
      limits: { max: 9 },
      providers: [{ providerId: 'a', clientId: 'old' }],
    };
    const body = {
      google: { clientId: 'new', enabled: null },
      limits: { window: 900 },
      providers: [{ providerId: 'z', note: 'a\nb' }, { providerId: 'a' }],
    };
    expect(write(body, stored)).toEqual({
      google: { clientId: 'new' },
      limits: { window: 100 },
      providers: [{ providerId: 'z', note: 'a\nb' }, { providerId: 'a' }],
    });
  });

  test.each<{ name: string; body: unknown; refused: string }>([
    {
      name: 'an object that is none',
      body: { google: 'x' },
      refused: 'INVALID_INPUT google: must be an object of fields',
    },
    {
      name: 'an unknown field of an object',
      body: { google: { secret: 'x' } },
      refused: 'UNKNOWN_FIELD Unknown field: google.secret',
    },
    {
      name: 'a name of the prototype',
      body: { google: { constructor: 'x' } },
      refused: 'UNKNOWN_FIELD Unknown field: google.constructor',
    },
    {
      name: 'a bad value in an object',
      body: { google: { clientId: 5 } },
      refused: 'INVALID_INPUT google.clientId: must be a text',
    },
    {
      name: 'entries that are no list',
      body: { providers: {} },
      refused: 'INVALID_INPUT providers: must be a list of objects',
    },
    {
      name: 'too many entries',
      body: { providers: ['a', 'b', 'c', 'd'].map((providerId) => ({ providerId })) },
      refused: 'INVALID_INPUT providers: must have at most 3 entries',
    },
    {
      name: 'an entry that is no object',
      body: { providers: [{ providerId: 'a' }, null] },
      refused: 'INVALID_INPUT providers[1]: must be an object of fields',
    },
    {
      name: 'a bad value in an entry',
      body: { providers: [{ providerId: 'a', clientId: '' }] },
      refused: 'INVALID_INPUT providers[0].clientId: must not be empty; leave it out to unset it',
    },
    {
      name: 'an unknown field of an entry',
      body: { providers: [{ providerId: 'a', id: 1 }] },
      refused: 'UNKNOWN_FIELD Unknown field: providers[0].id',
    },
    {
      name: 'an entry without its key',
      body: { providers: [{ providerId: 'a' }, { clientId: 'x' }] },
      refused: 'INVALID_INPUT providers[1].providerId: is required',
    },
    {
      name: 'two entries with one key',
      body: { providers: [{ providerId: 'a' }, { providerId: 'a' }] },
      refused: 'INVALID_INPUT providers[1].providerId: is taken by another entry',
    },
  ])('refuses $name', ({ body, refused }) => {
    expect(refusal(body)).toBe(refused);
  });

  test('the sentinel keeps the secret of the same object', () => {
    const stored = { google: { clientSecret: 'g' }, github: { clientSecret: 'h' } };
    const body = {
      google: { clientId: 'new', clientSecret: secretSentinel },
      github: { clientSecret: 'other' },
    };
    expect(write(body, stored)).toEqual({
      google: { clientId: 'new', clientSecret: 'g' },
      github: { clientSecret: 'other' },
    });
    expect(
      refusal({ google: { clientSecret: secretSentinel } }, { github: { clientSecret: 'h' } }),
    ).toMatch(/^INVALID_INPUT google\.clientSecret: no secret is stored/);
  });

  test('the sentinel keeps the secret of the entry with the same key, wherever it stands', () => {
    const stored = {
      providers: [
        { providerId: 'a', clientSecret: 'of a' },
        { providerId: 'b', clientSecret: 'of b' },
      ],
    };
    const kept = (providerId: string) => ({ providerId, clientSecret: secretSentinel });
    expect(write({ providers: [kept('b'), kept('a')] }, stored)['providers']).toEqual([
      { providerId: 'b', clientSecret: 'of b' },
      { providerId: 'a', clientSecret: 'of a' },
    ]);
    expect(refusal({ providers: [kept('c')] }, stored)).toMatch(
      /^INVALID_INPUT providers\[0\]\.clientSecret: no secret is stored/,
    );
  });

  test('storing one object from what was read leaves the other ones to the environment', () => {
    const read = redact(group, { stored: undefined, env: deployment });
    const body = { ...read, github: { enabled: true, clientId: 'own', clientSecret: 'own' } };
    const stored = write(body, undefined, deployment);
    expect(stored['google']).toBeUndefined();
    const values = resolve(group, { stored, env: deployment });
    expect(values.google.clientSecret).toBe('env-google-secret');
    expect(values.github).toEqual({ enabled: true, clientId: 'own', clientSecret: 'own' });
  });

  test('an object that is sent otherwise than it was read is stored and loses the environment', () => {
    const body = { google: { enabled: true, clientId: 'env-google', clientSecret: null } };
    expect(write(body, undefined, deployment)).toEqual({});
    const changed = { google: { enabled: true, clientId: 'other' } };
    const stored = write(changed, undefined, deployment);
    expect(resolve(group, { stored, env: deployment }).google.clientSecret).toBeUndefined();
  });
});

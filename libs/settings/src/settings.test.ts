import { describe, expect, test } from 'vitest';
import { AppError } from '#libs/errors';
import { applyWrite } from './apply-write.js';
import { defineGroup, type Group } from './define-group.js';
import { describe as describeGroup } from './describe.js';
import { choice, flag, integer, list, secret, text } from './field.js';
import { readiness } from './readiness.js';
import { redact, secretSentinel } from './redact.js';
import { resolve } from './resolve.js';
import { mapSecrets } from './secrets.js';

const open = defineGroup('test.open', {
  title: 'Open',
  help: 'A group without a secret.',
  rebuilds: ['auth'],
  fields: {
    enabled: flag({ label: 'Enabled', default: true, env: 'OPEN_ENABLED' }),
    length: integer({ label: 'Length', default: 6, clamp: [4, 10], env: 'OPEN_LENGTH' }),
    port: integer({ label: 'Port', default: 25, range: [1, 65_535] }),
    url: text({ label: 'URL', format: 'url', maxLength: 30, env: 'OPEN_URL' }),
    colour: choice({ label: 'Colour', of: ['red', 'green'], default: 'red' }),
    names: list({
      label: 'Names',
      format: 'domain',
      default: [],
      maxItems: 2,
      maxLength: 20,
      env: 'OPEN_NAMES',
    }),
  },
  required: ({ enabled }) => (enabled ? ['url', 'names'] : []),
  conflict: ({ length, port }) =>
    length === port ? { field: 'length', reason: 'must differ from port' } : undefined,
});

const sealed = defineGroup('test.sealed', {
  title: 'Sealed',
  help: 'A group with a secret.',
  rebuilds: [],
  fields: {
    host: text({ label: 'Host', format: 'host', maxLength: 50, env: 'SEALED_HOST' }),
    password: secret({ label: 'Password', maxLength: 20, env: 'SEALED_PASSWORD' }),
  },
});

test('a group that names no capability needs the stronger one', () => {
  expect([open.capability, sealed.capability]).toEqual(['secrets.manage', 'secrets.manage']);
});

/** The refusal of a write as `CODE field`. */
function refusal(group: Group, body: unknown, stored?: unknown): { code: string; message: string } {
  try {
    applyWrite(group, { stored, env: {}, body });
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the write was accepted');
}

describe('resolve', () => {
  test.each([
    { name: 'the default when nothing else is there', stored: undefined, env: {}, length: 6 },
    {
      name: 'the environment before the default',
      stored: {},
      env: { OPEN_LENGTH: '8' },
      length: 8,
    },
    {
      name: 'stored before the environment',
      stored: { length: 5 },
      env: { OPEN_LENGTH: '8' },
      length: 5,
    },
    { name: 'a stored number is clamped', stored: { length: 99 }, env: {}, length: 10 },
    { name: 'an environment number is clamped', stored: {}, env: { OPEN_LENGTH: '1' }, length: 4 },
    {
      name: 'a stored value of a wrong type counts as not stored',
      stored: { length: 'x' },
      env: {},
      length: 6,
    },
    {
      name: 'an unusable environment value is passed over',
      stored: {},
      env: { OPEN_LENGTH: 'x' },
      length: 6,
    },
    {
      name: 'an empty environment value is passed over',
      stored: {},
      env: { OPEN_LENGTH: ' ' },
      length: 6,
    },
    { name: 'a stored value that is no object is passed over', stored: [1], env: {}, length: 6 },
  ])('$name', ({ stored, env, length }) => {
    expect(resolve(open, { stored, env }).length).toBe(length);
  });

  test('flags, texts and lists are read from the environment', () => {
    const env = {
      OPEN_ENABLED: 'FALSE',
      OPEN_URL: ' https://a.example ',
      OPEN_NAMES: 'a.de, b.de,',
    };
    expect(resolve(open, { stored: undefined, env })).toEqual({
      enabled: false,
      length: 6,
      port: 25,
      url: 'https://a.example',
      colour: 'red',
      names: ['a.de', 'b.de'],
    });
  });

  test('a group with a secret takes nothing from the environment once it is stored', () => {
    const env = { SEALED_HOST: 'mail.example', SEALED_PASSWORD: 'deployment' };
    expect(resolve(sealed, { stored: undefined, env })).toEqual({
      host: 'mail.example',
      password: 'deployment',
    });
    expect(resolve(sealed, { stored: { host: 'own.example' }, env })).toEqual({
      host: 'own.example',
      password: undefined,
    });
  });
});

describe('applyWrite', () => {
  test('stores what was sent and nothing else', () => {
    const body = { length: 99, names: ['a.de', 'a.de'], url: null };
    expect(applyWrite(open, { stored: { enabled: false }, env: {}, body })).toEqual({
      length: 10,
      names: ['a.de'],
    });
  });

  test.each<{ name: string; body: unknown; code: string; message: RegExp }>([
    {
      name: 'a body that is no object',
      body: [],
      code: 'INVALID_INPUT',
      message: /^body: must be an object/,
    },
    {
      name: 'an unknown field',
      body: { lenght: 5 },
      code: 'UNKNOWN_FIELD',
      message: /^Unknown field: lenght$/,
    },
    {
      name: 'a name of the prototype',
      body: { toString: 1 },
      code: 'UNKNOWN_FIELD',
      message: /^Unknown field: toString$/,
    },
    {
      name: 'a flag that is a text',
      body: { enabled: 'true' },
      code: 'INVALID_INPUT',
      message: /^enabled: must be true or false$/,
    },
    {
      name: 'a fraction',
      body: { length: 5.5 },
      code: 'INVALID_INPUT',
      message: /^length: must be a whole number$/,
    },
    {
      name: 'a number out of a range',
      body: { port: 0 },
      code: 'INVALID_INPUT',
      message: /^port: must be between 1 and 65535$/,
    },
    {
      name: 'a malformed URL',
      body: { url: 'javascript:alert(1)' },
      code: 'INVALID_INPUT',
      message: /^url: must be an http or https URL$/,
    },
    {
      name: 'a URL with a password',
      body: { url: 'https://a:b@c.de' },
      code: 'INVALID_INPUT',
      message: /^url: /,
    },
    {
      name: 'a text that is too long',
      body: { url: `https://${'a'.repeat(40)}.de` },
      code: 'INVALID_INPUT',
      message: /^url: must have at most 30 characters$/,
    },
    {
      name: 'an empty text',
      body: { url: '' },
      code: 'INVALID_INPUT',
      message: /^url: must not be empty/,
    },
    {
      name: 'a line break',
      body: { url: 'https://a.de\r\nx' },
      code: 'INVALID_INPUT',
      message: /^url: must not contain control characters$/,
    },
    {
      name: 'a word that is no choice',
      body: { colour: 'blue' },
      code: 'INVALID_INPUT',
      message: /^colour: must be one of red, green$/,
    },
    {
      name: 'a list that is a text',
      body: { names: 'a.de' },
      code: 'INVALID_INPUT',
      message: /^names: must be a list/,
    },
    {
      name: 'a list that is too long',
      body: { names: ['a.de', 'b.de', 'c.de'] },
      code: 'INVALID_INPUT',
      message: /^names: must have at most 2 entries$/,
    },
    {
      name: 'a bad entry of a list',
      body: { names: ['a.de', 'x'] },
      code: 'INVALID_INPUT',
      message: /^names: entry 2 must be a domain/,
    },
    {
      name: 'two fields that contradict each other',
      body: { length: 7, port: 7 },
      code: 'INVALID_INPUT',
      message: /^length: must differ from port$/,
    },
  ])('refuses $name', ({ body, code, message }) => {
    const found = refusal(open, body);
    expect(found.code).toBe(code);
    expect(found.message).toMatch(message);
  });

  test.each([
    {
      name: 'the sentinel keeps the stored secret',
      body: { host: 'a.de', password: secretSentinel },
      password: 'old',
    },
    { name: 'a new secret replaces it', body: { password: 'new' }, password: 'new' },
    { name: 'a missing secret is removed', body: { host: 'a.de' }, password: undefined },
    { name: 'null removes it too', body: { password: null }, password: undefined },
  ])('$name', ({ body, password }) => {
    const stored = { host: 'a.de', password: 'old' };
    expect(applyWrite(sealed, { stored, env: {}, body })['password']).toBe(password);
  });

  test('the sentinel is refused where nothing is stored, also when the environment has the secret', () => {
    expect(refusal(sealed, { password: secretSentinel }).message).toMatch(
      /^password: no secret is stored/,
    );
    expect(() =>
      applyWrite(sealed, {
        stored: undefined,
        env: { SEALED_PASSWORD: 'deployment' },
        body: { password: secretSentinel },
      }),
    ).toThrow(/no secret is stored/);
  });

  test('what was read can be written back', () => {
    const stored = { host: 'a.de', password: 'old' };
    const sources = { stored, env: { SEALED_PASSWORD: 'deployment' } };
    expect(applyWrite(sealed, { ...sources, body: redact(sealed, sources) })).toEqual(stored);
    const onlyEnv = { stored: undefined, env: { SEALED_PASSWORD: 'deployment' } };
    expect(applyWrite(sealed, { ...onlyEnv, body: redact(sealed, onlyEnv) })).toEqual({});
  });
});

describe('secrets', () => {
  test('a reader sees the sentinel for a stored secret and nothing for another one', () => {
    const env = { SEALED_PASSWORD: 'deployment' };
    expect(redact(sealed, { stored: { password: 'old' }, env })).toEqual({
      host: null,
      password: secretSentinel,
    });
    expect(redact(sealed, { stored: undefined, env })['password']).toBeNull();
  });

  test('sealing changes the set secrets and nothing else', () => {
    const mark = (value: string, path: string): string => `${path}:${value}`;
    expect(mapSecrets(sealed, { host: 'h', password: 'p' }, mark)).toEqual({
      host: 'h',
      password: 'password:p',
    });
    expect(mapSecrets(sealed, { host: 'h' }, mark)).toEqual({ host: 'h' });
  });
});

describe('readiness', () => {
  test.each([
    {
      name: 'names what is missing',
      stored: {},
      expected: { enabled: true, configured: false, missing: ['url', 'names'] },
    },
    {
      name: 'is complete when all is set',
      stored: { url: 'https://a.de', names: ['a.de'] },
      expected: { enabled: true, configured: true, missing: [] },
    },
    {
      name: 'asks nothing of a group that is off',
      stored: { enabled: false },
      expected: { enabled: false, configured: true, missing: [] },
    },
  ])('$name', ({ stored, expected }) => {
    expect(readiness(open, resolve(open, { stored, env: {} }))).toEqual(expected);
  });
});

test('a group is described without values and without names of variables', () => {
  expect(describeGroup(open).fields.slice(0, 3)).toEqual([
    { name: 'enabled', kind: 'flag', label: 'Enabled', default: true, limits: {} },
    {
      name: 'length',
      kind: 'integer',
      label: 'Length',
      default: 6,
      limits: { min: 4, max: 10, isClamped: true },
    },
    { name: 'port', kind: 'integer', label: 'Port', default: 25, limits: { min: 1, max: 65_535 } },
  ]);
});

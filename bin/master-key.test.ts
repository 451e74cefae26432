import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Env, parseEnv } from './env.js';

const key = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i));

test.each<{
  readonly name: string;
  readonly source: Record<string, string>;
  readonly read: (env: Env) => unknown;
  readonly value: unknown;
}>([
  {
    name: 'MASTER_KEY in hex',
    source: { MASTER_KEY: key.toString('hex') },
    read: (env) => env.masterKey,
    value: key,
  },
  {
    name: 'MASTER_KEY in base64',
    source: { MASTER_KEY: key.toString('base64') },
    read: (env) => env.masterKey,
    value: key,
  },
  {
    name: 'MASTER_KEY in base64url',
    source: { MASTER_KEY: key.toString('base64url') },
    read: (env) => env.masterKey,
    value: key,
  },
  {
    name: 'MASTER_KEY with blanks and a line break',
    source: { MASTER_KEY: ` ${key.toString('base64')}\r\n` },
    read: (env) => env.masterKey,
    value: key,
  },
  {
    name: 'MASTER_KEY with a line break, as earlier releases derived it',
    source: { MASTER_KEY: `${key.toString('hex')}\n` },
    read: (env) => env.formerMasterKey,
    value: scryptSync(`${key.toString('hex')}\n`, 'rowhouse master key', 32),
  },
  {
    name: 'MASTER_KEY without blanks has no earlier form',
    source: { MASTER_KEY: key.toString('hex') },
    read: (env) => env.formerMasterKey,
    value: undefined,
  },
  {
    name: 'MASTER_KEY as a text gives 32 bytes',
    source: { MASTER_KEY: 'a long sentence that nobody else knows' },
    read: (env) => env.masterKey?.length,
    value: 32,
  },
])('$name', ({ source, read, value }) => {
  expect(read(parseEnv(source))).toEqual(value);
});

test('a derived master key is always the same, and another text gives another', () => {
  const derive = (text: string) => parseEnv({ MASTER_KEY: text }).masterKey?.toString('hex');
  const text = 'a long sentence that nobody else knows';
  expect(derive(text)).toBe(derive(text));
  expect(derive(text)).not.toBe(derive(`${text}!`));
});

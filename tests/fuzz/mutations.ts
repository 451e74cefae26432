// Small damage to the bytes of a valid request, of the kinds that find what a parser did not expect.
import type { Dice } from './dice.js';

/** What means something somewhere: to a URL, to the grammar, to JSON, to HTTP, to SQL or to PostgreSQL. */
const TOKENS = [
  '',
  '.',
  ',',
  '(',
  ')',
  '"',
  "'",
  '\\',
  ':',
  '::',
  '->',
  '->>',
  '*',
  '=',
  '&',
  '!',
  '...',
  '%',
  '%00',
  '%0',
  '%ff',
  '%C3%28',
  '%F0%9F%8E%89',
  '%2F',
  '%2e%2e/',
  '+',
  ' ',
  '\t',
  '\n',
  '\0',
  'eq.',
  'not.',
  'in.(',
  'is.null',
  'or=(',
  'and(',
  'select=',
  'order=',
  'limit=',
  'offset=',
  'fts(english).',
  'like(any).{',
  'count()',
  '.sum()',
  '!inner',
  '...parent(',
  'children(',
  '99999999999999999999',
  '-1',
  '0',
  '1e999',
  'NaN',
  '2147483648',
  '0-',
  '9-0',
  'infinity',
  '{',
  '}',
  '[',
  ']',
  '[[[[[[[[',
  '{}',
  '[]',
  'null',
  'true',
  '{"a":',
  '\\u0000',
  '\\ud800',
  '""',
  ';',
  '--',
  '/*',
  '$1',
  '$$',
  "';drop table items;--",
  '::regclass',
  'pg_sleep(9)',
  '\u00e4',
  '日本',
  '🎉',
  '\u202e',
  '\ufeff',
  '\u0000',
  'x'.repeat(70),
  '('.repeat(300),
  'a.'.repeat(40),
  'count=exact',
  'return=representation',
  'text/csv',
  'for="',
  ';q=',
  'tx=rollback',
  'max-affected=',
  '{"$ref":',
  '"operations"',
  'constructor',
  '__proto__',
  'toString',
  'items',
  'children',
  'add',
].map((token) => Buffer.from(token, 'utf8'));

/** `bytes` with one to eight changes; `others` are what parts are taken from. */
export function mutate(dice: Dice, bytes: Buffer, others: readonly Buffer[]): Buffer {
  const changes = dice.many({ least: 1, most: 8, percent: 40 }, (i) => i);
  return changes.reduce((changed) => mutateOnce(dice, changed, others), bytes);
}

function mutateOnce(dice: Dice, bytes: Buffer, others: readonly Buffer[]): Buffer {
  const at = dice.upTo(bytes.length);
  const end = Math.min(bytes.length, at + dice.upTo(12));
  const replaced = (by: Buffer, until = end): Buffer =>
    Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(until)]);
  switch (dice.upTo(7)) {
    case 0:
      return replaced(dice.pick(TOKENS), at);
    case 1:
      return replaced(dice.pick(TOKENS));
    case 2:
      return replaced(Buffer.alloc(0));
    case 3:
      return replaced(randomBytes(dice, 3), at);
    case 4:
      return replaced(Buffer.concat([bytes.subarray(at, end), bytes.subarray(at, end)]));
    case 5: {
      const other = dice.pick(others);
      const from = dice.upTo(other.length);
      return replaced(other.subarray(from, from + dice.upTo(40)), at);
    }
    case 6:
      return replaced(randomBytes(dice, 40));
    default:
      return bytes.subarray(0, at);
  }
}

/** At most `most` bytes of any value. */
export function randomBytes(dice: Dice, most: number): Buffer {
  return Buffer.from(dice.many({ most, percent: 95 }, () => dice.upTo(255)));
}

// The statements that we find in a script are those that PostgreSQL finds: random texts are split here, and each
// piece is sent alone to be parsed. A piece that is several commands for PostgreSQL would run what was never checked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';

import { finish } from '#libs/steps';

import { readScript } from '../../libs/database/src/script/read-script.js';
import { prepareError } from '../fuzz/prepare.js';
import { createProject, type ProjectFixture } from './project-fixture.js';

const cases = 4_000;
let project: ProjectFixture;
let client: Client;

beforeAll(async () => {
  project = await createProject();
  const { host, port, database, logins } = project.options;
  const { user, password } = logins.owner;
  client = new Client({ host, port, database, user, password });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await project.drop();
});

/** Elements and parts of elements, at whose borders the two might part. */
const soup = [
  ['select 1', 'select', ' as ', ' a', '1', ';', ';', ';select 2', ', ', '(', ')', '[', ']', '*'],
  ["'", "'", "''", "e'", "E'", "\\'", '\\', "n'", "b'01'", "x'", "u&'", "' uescape '!'", 'U&"'],
  ['"', '""', '$$', '$$', '$a$', '$a$', '$ä$', '$a', '$1', '$', 'a$b$', '1$$', '$😀$', '1e', '1.e'],
  ['--', '/*', '*/', '/*/', '**/', '-', '/', '+', '@', '<', '||', '::', '..', ':=', '=>', '.5'],
  [' ', ' ', '\n', '\r', '\t', '\f', '\v', '\u0085', '\u00a0', '\u2028', '\ufeff', 'ä', 'İ', 'K'],
  [' e', 'é', '_', '0x1', '1_0', ' -- c\n', ' /* ; */ ', '\n--;\n', "'a'\n'b'", "e'a'\n'\\''"],
  [',1', ",'a'", ",e'\\''", ',$$;$$', ',$a$;$a$', ';select 2', '; select $$', ' -- ;\n', '/*;*/'],
  [
    'create function f() returns int ',
    'begin atomic ',
    ' end',
    ' case ',
    'language sql ',
    'return 1',
  ],
].flat();

/** The same texts in each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <Value>(random: () => number, values: readonly Value[]): Value | undefined =>
  values[Math.floor(random() * values.length)];

/** Ways to write a value, each around a random text. */
const quotes = [
  ["'", "'"],
  ["e'", "'"],
  ["E'", "'"],
  ["n'", "'"],
  ["u&'", "'"],
  ["e'a'\n'", "'"],
  ['$$', '$$'],
  ['$a$', '$a$'],
  ['$ä1$', '$ä1$'],
  ['$é$', '$É$'],
  ['1 as "', '"'],
  ['1 as a$', ''],
  ['1 as ä$a$', ''],
  ['1 /*', '*/'],
  ['1 --', '\n'],
  ['1+/*', '*/-1'],
  ['(1', ')'],
] as const;
const separators = [', ', ';select ', ' ; select ', ';;select\f', ';\n--;\nselect ', ', /*;*/ '];

function randomScript(random: () => number): string {
  if (random() < 0.3) {
    const count = 3 + Math.floor(random() * 14);
    return `select 1 as a ${Array.from({ length: count }, () => pick(random, soup)).join('')}`;
  }
  const value = (): string => {
    const [open, close] = pick(random, quotes) ?? ['', ''];
    const inner = Array.from({ length: Math.floor(random() * 3) }, () => pick(random, soup));
    return `${open}${inner.join('')}${close}`;
  };
  const count = 1 + Math.floor(random() * 4);
  const values = Array.from({ length: count }, () => `${value()}${pick(random, separators)}`);
  return `select ${values.join('')}1`;
}

const isSeveral = (error: string | undefined): boolean =>
  error?.includes('multiple commands') === true;

/** Asks the server to parse a text, not to run it: its complaint about the syntax, or about several commands. */
async function syntaxError(text: string): Promise<string | undefined> {
  const error = await prepareError(client, { text, values: [] });
  return error?.code === '42601' ? error.message : undefined;
}

test('the server takes several commands for what they are', async () => {
  expect(await syntaxError('select 1; select 2')).toContain('multiple commands');
  expect(await syntaxError('select 1')).toBeUndefined();
  expect(await syntaxError('select from from')).toContain('syntax error');
});

test(`${cases} random scripts have the statements that the server finds`, async () => {
  const random = randomOf(20_261_122);
  const failures: unknown[] = [];
  let valid = 0;
  for (let index = 0; index < cases; index++) {
    const script = randomScript(random);
    const pieces = finish(readScript(script)).statements.map(({ start, end }) =>
      script.slice(start, end),
    );
    const whole = await syntaxError(script);
    const isValid = whole === undefined || isSeveral(whole);
    if (isValid) valid++;
    if (isValid && isSeveral(whole) !== pieces.length > 1) failures.push({ script, whole });
    for (const piece of pieces) {
      const error = await syntaxError(piece);
      if (isSeveral(error) || (isValid && error !== undefined)) failures.push({ script, piece });
    }
  }
  expect(failures).toEqual([]);
  // Texts of nothing but mistakes would prove nothing.
  expect(valid).toBeGreaterThan(cases / 5);
}, 60_000);

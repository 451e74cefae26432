// The statements that we find in a script are those that PostgreSQL finds: random texts are split here, and each
// piece is sent alone to be parsed. A piece that is several commands for PostgreSQL would run what was never checked.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

function randomScript(random: () => number): string {
  const count = 3 + Math.floor(random() * 14);
  const parts = Array.from({ length: count }, () => soup[Math.floor(random() * soup.length)] ?? '');
  return `select 1 as a ${parts.join('')}`;
}

async function parseError(text: string): Promise<string | undefined> {
  return (await prepareError(client, { text, values: [] }))?.message;
}

test('the server takes several commands for what they are', async () => {
  expect(await parseError('select 1; select 2')).toContain('multiple commands');
  expect(await parseError('select 1')).toBeUndefined();
  expect(await parseError('select from from')).toContain('syntax error');
});

test(`no piece of ${cases} random scripts is several commands`, async () => {
  const random = randomOf(20_261_122);
  const failures: unknown[] = [];
  let valid = 0;
  for (let index = 0; index < cases; index++) {
    const script = randomScript(random);
    for (const { start, end } of finish(readScript(script)).statements) {
      const piece = script.slice(start, end);
      const error = await parseError(piece);
      if (error === undefined) valid++;
      else if (error.includes('multiple commands')) failures.push({ script, piece });
    }
  }
  expect(failures).toEqual([]);
  // Texts of nothing but mistakes would prove nothing.
  expect(valid).toBeGreaterThan(cases / 20);
}, 60_000);

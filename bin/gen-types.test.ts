// The command without a project: what it asks, and how it words each thing that can go wrong.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#libs/testing';
import { genTypes } from './gen-types.js';

const types = 'export type Database = {};\n';
const key = 'svc_secret_test';
const json = { 'content-type': 'application/json' };

interface Prepared {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const wellAnswer: Prepared = {
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: types,
};

let server: Server;
let port: number;
let folder: string;
let answer: Prepared;
let asked: IncomingMessage[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-types-'));
  port = await freePort();
  server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});
beforeEach(() => {
  answer = wellAnswer;
  asked = [];
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command; `{origin}` stands for the server of this test. */
async function run(args: readonly string[], secretKey?: string) {
  let output = '';
  let complaint = '';
  const origin = `http://127.0.0.1:${port}`;
  const code = await genTypes(
    args.map((arg) => arg.replace('{origin}', origin)),
    {
      secretKey,
      print: (text) => (output += text),
      complain: (text) => (complaint += text),
    },
  );
  return { code, output, complaint: complaint.replaceAll(origin, '{origin}') };
}

describe('a project that answers', () => {
  test('its types go to standard output, as they came', async () => {
    const result = await run(['--url', '{origin}', '--key', key]);
    expect(result).toEqual({ code: 0, output: types, complaint: '' });
    expect(asked[0]?.url).toBe('/api/admin/types');
    expect(asked[0]?.headers).toMatchObject({ apikey: key, host: `127.0.0.1:${port}` });
  });

  test('--out names the file they go to, over what it held', async () => {
    const file = join(folder, 'database.ts');
    await writeFile(file, 'a longer text of an earlier day that must not stay in the file');
    const result = await run(['--url', '{origin}', '--key', key, '--out', file]);
    expect(result).toEqual({ code: 0, output: '', complaint: '' });
    expect(await readFile(file, 'utf8')).toBe(types);
  });

  test('the key may come from the environment, and --key goes first', async () => {
    await run(['--url', '{origin}'], 'svc_secret_env');
    await run(['--url', '{origin}', '--key', key], 'svc_secret_env');
    expect(asked.map(({ headers }) => headers['apikey'])).toEqual(['svc_secret_env', key]);
  });

  test('a name below localhost is this machine, whatever the resolver says', async () => {
    const result = await run(['--url', `http://demo.localhost:${port}`, '--key', key]);
    expect(result).toMatchObject({ code: 0, output: types });
    expect(asked[0]?.headers.host).toBe(`demo.localhost:${port}`);
  });

  test.each([
    { url: '{origin}/', path: '/api/admin/types' },
    { url: '{origin}/demo', path: '/demo/api/admin/types' },
    { url: '{origin}/demo/?x=1', path: '/demo/api/admin/types' },
  ])('$url is asked at $path', async ({ url, path }) => {
    await run(['--url', url, '--key', key]);
    expect(asked[0]?.url).toBe(path);
  });
});

test.each([
  {
    name: 'no address',
    args: ['--key', key],
    says: '--url is missing: the address of the project, such as http://demo.localhost:8000',
  },
  {
    name: 'no key',
    args: ['--url', '{origin}'],
    says: 'The secret key is missing; give --key or set ROWHOUSE_SECRET_KEY',
  },
  {
    name: 'an empty key',
    args: ['--url', '{origin}', '--key', ''],
    says: 'The secret key is missing; give --key or set ROWHOUSE_SECRET_KEY',
  },
  {
    name: 'a key that no header can carry',
    args: ['--url', '{origin}', '--key', 'two\nlines'],
    says: 'The secret key must be one word of plain letters; copy it again',
  },
  {
    name: 'an address without a scheme',
    args: ['--url', 'demo.localhost:8000', '--key', key],
    says: '--url must be an address such as http://demo.localhost:8000, not demo.localhost:8000',
  },
  {
    name: 'an unknown option',
    args: ['--host', 'x'],
    says: "Unknown option '--host'; see rowhouse --help",
  },
  {
    name: 'an option without its value',
    args: ['--url'],
    says: "Option '--url <value>' argument missing; see rowhouse --help",
  },
  {
    name: 'a word too many',
    args: ['planets'],
    says: "Unexpected argument 'planets'; see rowhouse --help",
  },
])('refused without a request: $name', async ({ args, says }) => {
  const result = await run(args);
  expect(result).toEqual({ code: 1, output: '', complaint: `rowhouse: ${says}\n` });
  expect(asked).toEqual([]);
});

test.each([
  {
    name: 'a key that is not of this project',
    reply: { status: 401, headers: json, body: '{"code":"UNAUTHORIZED","message":"No."}' },
    says: '{origin} does not accept the key; the secret key of this project (svc_secret_…) is needed',
  },
  {
    name: 'a publishable key',
    reply: { status: 403, headers: json, body: '{"code":"FORBIDDEN","message":"No."}' },
    says: '{origin} does not accept the key; the secret key of this project (svc_secret_…) is needed',
  },
  {
    name: 'no project',
    reply: { status: 404, headers: json, body: '{"code":"PROJECT_NOT_FOUND","message":"None"}' },
    says: 'There is no project at {origin}; check --url',
  },
  {
    name: 'a paused project',
    reply: {
      status: 503,
      headers: json,
      body: '{"code":"PROJECT_PAUSED","message":"It is paused"}',
    },
    says: '{origin} answers 503: It is paused',
  },
  {
    name: 'another server',
    reply: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
    says: '{origin}/api/admin/types answers 200 and no types; is a project of Rowhouse there?',
  },
  {
    name: 'JSON that is no object',
    reply: { status: 500, headers: json, body: 'null' },
    says: '{origin}/api/admin/types answers 500 and no types; is a project of Rowhouse there?',
  },
  {
    name: 'a redirect',
    reply: { status: 308, headers: { location: 'https://example.org/' }, body: '' },
    says: '{origin} leads on to https://example.org/; give that address as --url',
  },
])('refused by the answer: $name', async ({ reply, says }) => {
  answer = reply;
  const file = join(folder, 'untouched.ts');
  await writeFile(file, 'untouched');
  const result = await run(['--url', '{origin}', '--key', key, '--out', file]);
  expect(result).toEqual({ code: 1, output: '', complaint: `rowhouse: ${says}\n` });
  expect(await readFile(file, 'utf8')).toBe('untouched');
});

test('nothing listens', async () => {
  const free = await freePort();
  const { code, complaint } = await run(['--url', `http://127.0.0.1:${free}`, '--key', key]);
  expect([code, complaint]).toEqual([
    1,
    `rowhouse: Nothing answers at http://127.0.0.1:${free}; check --url and whether the server runs\n`,
  ]);
});

test('there is no such host', async () => {
  const { code, complaint } = await run(['--url', 'http://nobody.invalid', '--key', key]);
  expect([code, complaint]).toEqual([
    1,
    'rowhouse: There is no host nobody.invalid; check --url\n',
  ]);
});

test('the file cannot be written', async () => {
  const to = (file: string) => run(['--url', '{origin}', '--key', key, '--out', file]);
  const lost = join(folder, 'nowhere', 'database.ts');
  expect(await to(lost)).toMatchObject({
    code: 1,
    complaint: `rowhouse: ${lost} cannot be written: its folder does not exist\n`,
  });
  expect(await to(folder)).toMatchObject({
    code: 1,
    complaint: `rowhouse: ${folder} cannot be written: it is a folder\n`,
  });
});

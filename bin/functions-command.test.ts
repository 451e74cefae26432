// The commands without a project: what they send, and how they report what can go wrong.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '#libs/testing';
import { functionsCommand, type FunctionsVerb } from './functions-command.js';
import type { ProjectSurroundings } from './project-command.js';
import { secretsCommand, type SecretsVerb } from './secrets-command.js';

type Handler = (response: ServerResponse, route: string, body: string) => void;

let server: Server;
let folder: string;
let origin: string;
let asked: string[];
let handle: Handler;

const json: (status: number, body: unknown) => Handler = (status, body) => (response) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-commands-'));
  await mkdir(join(folder, 'functions', 'hello'), { recursive: true });
  await writeFile(join(folder, 'functions', 'hello', 'index.ts'), 'hello');
  await writeFile(
    join(folder, '.env'),
    "A=1\nROWHOUSE_SECRET_KEY=mine\nB='two words' # not this\n",
  );
  server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const route = `${request.method} ${request.url?.replace('/api/admin/functions', '')}`;
      asked.push(body === '' ? route : `${route} ${body}`);
      handle(response, route, body);
    });
  });
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});
beforeEach(() => {
  asked = [];
  handle = json(200, {});
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

function surroundings(given: Partial<ProjectSurroundings> = {}) {
  const printed = { output: '', complaint: '' };
  const to: ProjectSurroundings = {
    url: origin,
    secretKey: 'svc_secret_test',
    folder,
    print: (line) => (printed.output += line),
    complain: (line) => (printed.complaint += line),
    ask: undefined,
    signal: new AbortController().signal,
    ...given,
  };
  return { printed, to };
}

async function functions(verb: FunctionsVerb, args: string[], given = {}) {
  const { printed, to } = surroundings(given);
  return { code: await functionsCommand(verb, args, to), ...printed };
}

async function secrets(verb: SecretsVerb, args: string[]) {
  const { printed, to } = surroundings();
  return { code: await secretsCommand(verb, args, to), ...printed };
}

const deployed = { slug: 'hello', activeVersion: 3, url: 'http://x/api/edge/hello' };
const code = '"entrypoint":"index.ts","files":{"index.ts":"hello"}';
const line = 'deployed hello, version 3, http://x/api/edge/hello\n';

describe('deploy', () => {
  test('makes a version of a function with its settings', async () => {
    handle = json(200, deployed);
    const args = ['hello', '--public', '--route', 'hi'];
    expect(await functions('deploy', args)).toEqual({ code: 0, output: line, complaint: '' });
    expect(asked).toEqual([`PUT /hello {${code},"isPublic":true,"route":"hi"}`]);
  });

  test('makes a function that the project does not have', async () => {
    const missing = { code: 'EDGE_FUNCTION_NOT_FOUND', message: 'There is no function hello' };
    handle = (response, route, body) =>
      json(route.startsWith('PUT') ? 404 : 201, route.startsWith('PUT') ? missing : deployed)(
        response,
        route,
        body,
      );
    expect(await functions('deploy', ['--public'])).toMatchObject({ code: 0, output: line });
    expect(asked).toEqual([
      `PUT /hello {${code},"isPublic":true}`,
      `POST  {"slug":"hello",${code},"isPublic":true}`,
    ]);
  });

  test('goes on after a failure, says why in one line, and ends with 1', async () => {
    handle = json(400, { code: 'FUNCTION_REFUSED', message: 'It cannot run:\n  bad\u001b[2J' });
    expect(await functions('deploy', ['missing', 'hello'])).toEqual({
      code: 1,
      output: '',
      complaint: `missing: ${join(folder, 'functions/missing/index.ts')} does not exist\nhello: ${origin} answers 400: It cannot run: bad\ufffd[2J\n`,
    });
  });
});

describe('logs', () => {
  const entry = (message: string) => ({ at: '2026-01-01', level: 'info', slug: 'hello', message });

  test('prints the oldest first, and further lines indented', async () => {
    handle = json(200, { logs: [entry('second\n  at x'), entry('first')] });
    const { output } = await functions('logs', ['hello', '--level', 'info', '--limit', '2']);
    expect(asked).toEqual(['GET /logs?function=hello&level=info&limit=2']);
    expect(output).toBe(
      '2026-01-01  info   hello  first\n2026-01-01  info   hello  second\n      at x\n',
    );
  });

  test('--follow goes on in the next stream when one ends', async () => {
    const stop = new AbortController();
    const parts = [entry('one'), entry('two')].map((one) => `data: ${JSON.stringify(one)}\n\n`);
    handle = (response, route, body) => {
      if (!route.includes('/stream')) return json(200, { logs: [] })(response, route, body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const [part] = parts.splice(0, 1);
      if (part === undefined) return stop.abort();
      response.write(`retry: 100\n\n: \n\nevent: log\n${part.slice(0, 20)}`);
      setImmediate(() => response.end(part.slice(20)));
    };
    const given = { signal: stop.signal };
    const { code: exitCode, output } = await functions('logs', ['hello', '--follow'], given);
    expect(exitCode).toBe(0);
    expect(output).toBe('2026-01-01  info   hello  one\n2026-01-01  info   hello  two\n');
  });
});

describe('delete', () => {
  test.each([
    { name: 'with --yes', args: ['--yes'], ask: undefined, isDeleted: true },
    { name: 'when its name is typed', args: [], ask: async () => ' hello\n', isDeleted: true },
    { name: 'not when another text is typed', args: [], ask: async () => 'y', isDeleted: false },
    { name: 'not without a terminal', args: [], ask: undefined, isDeleted: false },
  ])('$name', async ({ args, ask, isDeleted }) => {
    handle = (response) => void response.writeHead(204).end();
    const { code: exitCode } = await functions('delete', ['hello', ...args], { ask });
    expect([exitCode, asked]).toEqual(isDeleted ? [0, ['DELETE /hello']] : [1, []]);
  });
});

test('serve deploys what has changed, and nothing twice', async () => {
  const stop = new AbortController();
  handle = (response, route, body) => {
    if (route.includes('/stream'))
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n');
    json(200, deployed)(response, route, body);
    if (body.includes('changed')) stop.abort();
  };
  const own = await mkdtemp(join(folder, 'own-'));
  await mkdir(join(own, 'a'));
  await mkdir(join(own, 'b'));
  await writeFile(join(own, 'a', 'index.ts'), 'a');
  await writeFile(join(own, 'b', 'index.ts'), 'b');
  const change = (output: string) => {
    if (output.includes('deployed b')) void writeFile(join(own, 'b', 'index.ts'), 'changed');
  };
  const args = ['--dir', own, '--env-file', '.env'];
  const given = { signal: stop.signal, print: change };
  expect((await functions('serve', args, given)).code).toBe(0);
  const sent = asked.filter((route) => !route.includes('/stream'));
  const codeOf = (content: string) => code.replace(':"hello"', `:"${content}"`);
  expect(sent).toEqual([
    'PUT /secrets {"A":"1","B":"two words"}',
    `PUT /a {${codeOf('a')}}`,
    `PUT /b {${codeOf('b')}}`,
    `PUT /b {${codeOf('changed')}}`,
  ]);
});

describe('secrets', () => {
  test('set sends those of a file and those of the command, which win', async () => {
    const { output } = await secrets('set', ['--env-file', '.env', 'A=x=y', 'C=']);
    expect(asked).toEqual(['PUT /secrets {"A":"x=y","B":"two words","C":""}']);
    expect(output).toBe('set A, B, C\n');
  });

  test('unset sends the names', async () => {
    expect(await secrets('unset', ['A', 'B'])).toMatchObject({ code: 0, output: 'unset A, B\n' });
    expect(asked).toEqual(['DELETE /secrets {"names":["A","B"]}']);
  });

  test.each([
    { args: ['TOKEN'], says: 'Write each secret as NAME=value' },
    { args: ['=hush'], says: 'Write each secret as NAME=value' },
    { args: [], says: 'Give NAME=value, or a file with --env-file' },
  ])('set $args is refused without its text', async ({ args, says }) => {
    expect(await secrets('set', args)).toEqual({
      code: 1,
      output: '',
      complaint: `rowhouse: ${says}\n`,
    });
  });
});

test.each<{ verb: FunctionsVerb; args: string[]; says: string; given?: object }>([
  {
    verb: 'list',
    args: [],
    given: { url: undefined },
    says: 'The address of the project is missing; give --url or set ROWHOUSE_URL',
  },
  {
    verb: 'list',
    args: [],
    given: { secretKey: undefined },
    says: 'The secret key is missing; give --key or set ROWHOUSE_SECRET_KEY',
  },
  { verb: 'list', args: ['a'], says: 'functions list takes no name' },
  { verb: 'list', args: ['--host'], says: "Unknown option '--host'; see rowhouse --help" },
  { verb: 'logs', args: [], says: 'Give the name of one function; see rowhouse --help' },
  { verb: 'deploy', args: ['--route', 'x'], says: '--route needs the name of one function' },
  { verb: 'deploy', args: ['--dir', 'no'], says: 'There is no folder no; name it with --dir' },
  { verb: 'delete', args: ['hello'], says: 'There is no terminal to confirm it; give --yes' },
  {
    verb: 'new',
    args: ['../x'],
    says: '../x is no name of a function: it has lower-case letters, digits, _ and -, and begins with a letter or digit',
  },
])('$verb $args is refused without a request', async ({ verb, args, says, given }) => {
  const result = await functions(verb, args, given);
  expect(result).toEqual({ code: 1, output: '', complaint: `rowhouse: ${says}\n` });
  expect(asked).toEqual([]);
});

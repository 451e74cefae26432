// The command line of `rowhouse`, each command as a process of its own.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { freePort } from '#libs/testing';

// The first command of all compiles the sources.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const types = 'export type Database = {};\n';
const key = 'svc_secret_test';
let project: Server;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://demo.localhost:${port}`;
  project = createServer((request, response) => {
    const isAllowed = request.headers['apikey'] === key;
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(isAllowed ? types : '');
  });
  await new Promise<void>((resolve) => project.listen(port, '127.0.0.1', resolve));
});
afterAll(() => void project.close());

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function rowhouse(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { env: { PATH: process.env['PATH'], ...env } };
  return new Promise<Ended>((resolve) => {
    execFile(process.execPath, ['bin/rowhouse.js', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test.each([['--help'], ['-h'], ['gen', 'types', '--help'], ['start', '-h']])(
  'help lists the commands: %s %s %s',
  async (...args) => {
    const { code, stdout, stderr } = await rowhouse(args.filter((arg) => arg !== undefined));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: rowhouse \[command\]\n/);
    expect(stdout).toMatch(/^ {2}start /m);
    expect(stdout).toMatch(/^ {2}gen types /m);
    expect(stdout).toMatch(/^ {2}operator reset <email> /m);
    expect(stdout).toContain('ROWHOUSE_SECRET_KEY');
  },
);

test.each([
  { name: 'an unknown command', args: ['fly'] },
  { name: 'half a command', args: ['gen'] },
  { name: 'a command in one word', args: ['gen types'] },
  { name: 'an option of another command', args: ['start', '--url', 'x'] },
  { name: 'a name that every object has', args: ['constructor'] },
])('$name is answered with the usage', async ({ args }) => {
  const { code, stdout, stderr } = await rowhouse(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Usage: rowhouse \[command\]\n/);
});

test('gen types prints the types and nothing else, with the key of the environment', async () => {
  const { code, stdout } = await rowhouse(['gen', 'types', '--url', url], {
    ROWHOUSE_SECRET_KEY: key,
  });
  expect([code, stdout]).toEqual([0, types]);
});

test('gen types that is refused says why in one line and ends 1', async () => {
  const { code, stdout, stderr } = await rowhouse(['gen', 'types', '--url', url, '--key', 'no']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^rowhouse: \S+ does not accept the key; [^\n]+\n$/m);
});

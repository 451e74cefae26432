// Every reason not to start is one line on standard error and exit code 1, with nothing left behind.
import { afterEach, beforeEach, expect, vi, test } from 'vitest';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import {
  freePorts,
  holdPort,
  makeFolder,
  postmasterPid,
  startRowhouse,
} from './rowhouse-process.js';
import { testIf } from '#libs/testing';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let folder: string;
let dataDir: string;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await makeFolder();
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await rm(folder, { recursive: true, force: true });
});

/** The one line that a start with these variables ends with. */
async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
  const rowhouse = startRowhouse({ ...(await freePorts()), DATA_DIR: dataDir, ...env });
  expect(await rowhouse.ended()).toBe(1);
  expect(rowhouse.stdout()).not.toContain('ready');
  expect(rowhouse.stderr()).toMatch(/^rowhouse: [^\n]+\n$/);
  return rowhouse.stderr().slice('rowhouse: '.length).trimEnd();
}

test.each(['PORT', 'CONSOLE_PORT'])('%s is taken', async (variable) => {
  const taken = await holdPort();
  closers.push(() => taken.release());
  expect(await refusal({ [variable]: String(taken.port) })).toBe(
    `The port ${taken.port} on 127.0.0.1 is taken; stop the program that uses it or set ${variable}`,
  );
  expect(await postmasterPid(dataDir)).toBeUndefined();
  expect(existsSync(join(dataDir, 'rowhouse.lock'))).toBe(false);
});

test('the address is not one of this machine', async () => {
  expect(await refusal({ HOST: '192.0.2.1' })).toBe(
    'HOST must be an address of this machine, not "192.0.2.1"',
  );
});

test('a file is in the place of the data folder', async () => {
  await writeFile(dataDir, '');
  expect(await refusal({})).toBe(
    `The data folder ${dataDir} cannot be made: a file is in its place; set DATA_DIR`,
  );
});

testIf(process.getuid?.() !== 0, 'root may write to a folder that nobody may write to')(
  'the data folder cannot be written',
  async () => {
    await mkdir(dataDir, { mode: 0o500 });
    expect(await refusal({})).toBe(`The data folder ${dataDir} cannot be written; set DATA_DIR`);
    await chmod(dataDir, 0o700);
  },
);

test('the data folder is of a newer release', async () => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'release.json'), '{"layout":99,"release":"7.0.0"}');
  expect(await refusal({})).toMatch(
    /^The data folder \S+ was written by the newer release 7\.0\.0 \(layout 99, this one knows \d+\); start that release$/,
  );
});

test('the kept master key is damaged', async () => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'master.key'), 'short');
  expect(await refusal({})).toBe(
    `${join(dataDir, 'master.key')} does not hold a key of 32 bytes in base64; restore it from a backup`,
  );
  expect(await postmasterPid(dataDir)).toBeUndefined();
});

test('a restored data folder lacks its master key, and no other one is put there', async () => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'release.json'), '{"layout":1,"release":"0.1.0"}');
  const file = join(dataDir, 'master.key');
  expect(await refusal({})).toBe(
    `${file} is missing, and MASTER_KEY is not set; restore the key from the backup of this deployment`,
  );
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await postmasterPid(dataDir)).toBeUndefined();
});

test('a variable is wrong', async () => {
  expect(await refusal({ ROLES: 'everything' })).toBe(
    'ROLES must be a list out of api, console, worker, not "everything"',
  );
});

test('nothing listens at DATABASE_URL, and the password in it is not shown', async () => {
  const taken = await holdPort();
  await taken.release();
  const line = await refusal({
    DATABASE_URL: `postgres://me:hush@127.0.0.1:${taken.port}/postgres`,
  });
  expect(line).toMatch(
    /^The database server at 127\.0\.0\.1:\d+ of DATABASE_URL cannot be used: \S/,
  );
  expect(line).not.toContain('hush');
});

test('the server at DATABASE_URL is too old', async () => {
  const port = await fakeServer('14.2');
  const line = await refusal({ DATABASE_URL: `postgres://me@127.0.0.1:${port}/postgres` });
  expect(line).toBe('DATABASE_URL must lead to PostgreSQL 15 to 18, not 14.2');
});

test('the role of DATABASE_URL is no superuser: each missing right is named', async () => {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  const role = `rh_refused_${process.pid}`;
  const admin = new pg.Client(url.href);
  await admin.connect();
  closers.push(async () => {
    await admin.query(`drop database ${role}`);
    await admin.query(`drop role ${role}`);
    await admin.end();
  });
  await admin.query(`create role ${role} login password 'hush' createrole`);
  await admin.query(`create database ${role} owner ${role}`);
  url.pathname = role;
  url.username = role;
  url.password = 'hush';
  expect(await refusal({ DATABASE_URL: url.href })).toBe(
    `The role ${role} of DATABASE_URL lacks SUPERUSER, CREATEDB, BYPASSRLS; use a superuser`,
  );
});

/** A server that speaks just enough of the protocol (PostgreSQL manual §54.2) to tell its version. */
async function fakeServer(version: string): Promise<number> {
  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const field = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const column = (name: string, type: number): Buffer => {
    const rest = Buffer.alloc(18);
    rest.writeInt32BE(type, 6);
    return Buffer.concat([Buffer.from(`${name}\0`), rest]);
  };
  const text = 25;
  const int4 = 23;
  const bool = 16;
  const number = String(Number.parseInt(version, 10) * 10_000);
  const answer = Buffer.concat([
    message(
      'T',
      Buffer.concat([
        Buffer.from([0, 3]),
        column('version', text),
        column('number', int4),
        column('standby', bool),
      ]),
    ),
    message('D', Buffer.concat([Buffer.from([0, 3]), field(version), field(number), field('f')])),
    message('C', Buffer.from('SELECT 1\0')),
    message('Z', Buffer.from('I')),
  ]);
  const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined); // The client hangs up when it has seen enough.
    socket.once('data', () => {
      socket.write(welcome);
      socket.on('data', (data) => data.toString('latin1', 0, 1) === 'Q' && socket.write(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

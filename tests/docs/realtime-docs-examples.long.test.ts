// Runs the examples of docs/realtime.md with the published client of Socket.IO: the program, the config of a join, the
// change that arrives, the request of a server, the statements, and the command that shows the live feed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { io, type Socket } from 'socket.io-client';
import ts from 'typescript';

import { waitFor } from '#libs/testing';

import { changesOf, ChannelFixture, messagesIn } from '../realtime/channel-fixture.js';
import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import type { SignedIn } from '../support/project.js';
import { patternOf, readFences, textPattern } from '../support/markdown.js';
import { withoutImports } from './documented-steps.js';
import { pageMs, programErrors } from './run-steps.js';

const page = readFileSync('docs/realtime.md', 'utf8');
const fences = readFences(page);
const blocks = (language: string) =>
  fences.filter((fence) => fence.language === language).map(({ text }) => text);
const [program = ''] = blocks('ts');
const [joinConfig = '', change = ''] = blocks('json');
const [request = ''] = blocks('http');
const [sendStatement = '', privateStatements = ''] = blocks('sql');
const [feedCommand = '', inspectCommand = ''] = blocks('sh');
const [feedOutput = '', inspectOutput = ''] = blocks('text');

let fixture: ChannelFixture;
let gateway: Gateway;
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  fixture = await ChannelFixture.open(`create table planets (name text primary key, moons int);
    create policy everybody on planets for select using (true)`);
  gateway = await openGateway(fixture.project);
  ada = await fixture.project.signUp('ada@example.org');
  bob = await fixture.project.signUp('bob@example.org');
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await fixture.close();
});

test('the page has the blocks that are run here, and no other', () => {
  const languages = fences.map(({ language }) => language);
  expect(languages).toEqual([
    'ts',
    'json',
    'json',
    'http',
    'sql',
    'sql',
    'sh',
    'text',
    'sh',
    'text',
  ]);
});

test(
  'the program compiles',
  async () => {
    const step = { kind: 'program', name: 'program', text: program, prints: undefined } as const;
    const surroundings = {
      'lib.d.ts': '/// <reference types="node" />\ndeclare const sessionToken: string;',
    };
    expect(await programErrors({ program: [step] }, surroundings)).toEqual([]);
  },
  pageMs,
);

test('the program joins, receives changes, and continues after a lost connection', async () => {
  const sockets: Socket[] = [];
  const venus = { new: { name: 'Venus', moons: 0 } };
  const printed: unknown[][] = [];
  const surroundings = {
    io: (...args: Parameters<typeof io>) => {
      const socket = io(...args);
      sockets.push(socket);
      return socket;
    },
    sessionToken: ada.token,
    console: { log: (...values: unknown[]) => printed.push(values) },
  };
  const text = program
    .replace('https://my-project.example.com', gateway.url)
    .replace('svc_publishable_…', fixture.project.publishableKey);
  const { outputText } = ts.transpileModule(withoutImports(text).body, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  compileFunction(outputText, Object.keys(surroundings))(...Object.values(surroundings));
  try {
    await waitFor(() => printed.length === 1, { until: 'the program has joined' });
    expect(printed[0]).toEqual([
      { status: 'ok', bindings: [{ id: expect.any(String) }], cursor: expect.any(String) },
    ]);
    await fixture.project.sql(`insert into planets values ('Mars', 1)`);
    await waitFor(() => printed.length === 2, { until: 'the program has received a change' });
    expect(printed[1]).toMatchObject(['planets', [{ d: { new: { name: 'Mars', moons: 1 } } }]]);
    gateway.sockets.cut();
    await fixture.project.sql(`insert into planets values ('Venus', 0)`);
    await waitFor(() => printed.length >= 4, { until: 'the program has joined again', ms: 20_000 });
    // The change may be printed first: it arrives with the acknowledgement.
    expect(printed.slice(2)).toEqual(
      expect.arrayContaining([
        [expect.objectContaining({ status: 'ok', recovered: true })],
        ['planets', [expect.objectContaining({ d: expect.objectContaining(venus) })]],
      ]),
    );
  } finally {
    for (const socket of sockets) socket.disconnect();
  }
});

test('the config of a join is accepted as it is written', async () => {
  const client = await fixture.client();
  const joined = await client.ask('rt:join', { topic: 'config', config: JSON.parse(joinConfig) });
  expect(joined).toMatchObject({ status: 'ok' });
  await client.ask('rt:track', { topic: 'config', payload: {} });
  await waitFor(() => client.frames('rt:presence').length > 0, { until: 'presence arrives' });
  expect(client.frames('rt:presence')[0]).toMatchObject({ state: { ada: [{}] } });
});

test('a change arrives as it is written', async () => {
  await fixture.project.sql(`insert into planets values ('Earth', 1) on conflict do nothing;
    delete from planets where name = 'Mars'; insert into planets values ('Mars', 1)`);
  const client = await fixture.joined('planets', changesOf({ event: 'UPDATE', table: 'planets' }));
  await fixture.project.sql(`update planets set moons = 2 where name = 'Mars'`);
  await waitFor(() => client.frames('rt:pg').length > 0, { until: 'the change arrives' });
  const year = String(new Date().getUTCFullYear());
  const expected: unknown = JSON.parse(change.replace('2026-', `${year}-`));
  expect(client.frames('rt:pg')[0]).toEqual(patternOf(expected, 'whole'));
});

test('the request of a server and the statement send the same message', async () => {
  const client = await fixture.joined('room-1');
  const [start = '', ...lines] = request.split('\n\n')[0]?.split('\n') ?? [];
  const [method = '', path = ''] = start.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']),
  );
  const reply = await fixture.project.send({
    method,
    path,
    headers: { ...headers, apikey: fixture.project.secretKey },
    body: request.split('\n\n')[1],
  });
  expect([reply.status, reply.text]).toEqual([202, '']);
  await fixture.project.sql(sendStatement);
  await waitFor(() => messagesIn(client).length === 2, { until: 'both have arrived' });
  expect(client.frames('rt:msg')).toEqual(
    Array(2).fill({ t: 'room-1', event: 'moved', payload: { x: 3 } }),
  );
});

test('members of a room receive and send in the private channel, and track nothing', async () => {
  await fixture.project.sql(privateStatements);
  await fixture.project.sql(`insert into members values ('board', '${ada.id}')`);
  const join = { topic: 'board', config: { private: true } };
  const [member, other] = [await fixture.as(ada), await fixture.as(bob)];
  expect(await member.ask('rt:join', join)).toMatchObject({ status: 'ok' });
  expect(await other.ask('rt:join', join)).toMatchObject({ code: 'CHANNEL_REFUSED' });
  const message = { topic: 'board', event: 'moved', payload: 1 };
  expect(await member.ask('rt:send', message)).toMatchObject({ status: 'ok' });
  expect(await member.ask('rt:track', { topic: 'board', payload: {} })).toMatchObject({
    code: 'CHANNEL_REFUSED',
  });
});

/** Runs a command that prints a stream until it has printed `last`. `onOpen` runs when the stream is open. */
async function printedBy(
  documented: string,
  last: string,
  onOpen?: () => Promise<unknown>,
): Promise<string> {
  const command = documented
    .replace('https://my-project.example.com', gateway.url)
    .replace('svc_secret_…', fixture.project.secretKey);
  const curl = spawn('sh', ['-c', `exec ${command}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(curl, 'close');
  let printed = '';
  curl.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  try {
    await waitFor(() => printed.startsWith('retry:'), { until: 'the stream is open' });
    await onOpen?.();
    await waitFor(() => printed.includes(last), { until: `the command prints ${last}` });
  } finally {
    curl.kill();
    await ended;
  }
  return printed.trimEnd();
}

const thisYear = (text: string): string =>
  text.replace('2026-', `${String(new Date().getUTCFullYear())}-`);

test('the command shows the live feed as it comes', async () => {
  const join = () => fixture.joined('planets', changesOf({ table: 'planets' }));
  const printed = await printedBy(feedCommand, 'data:', join);
  expect(printed).toEqual(textPattern(thisYear(feedOutput)));
});

test('the command joins as a visitor', async () => {
  const printed = await printedBy(inspectCommand, 'data:');
  expect(printed).toEqual(textPattern(thisYear(inspectOutput)));
});

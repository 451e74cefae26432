import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { freePort, testIf } from '#libs/testing';

import type { JobStore } from './job-store.js';
import { openSignalBus, type SignalBus } from './signal-bus.js';

const database = `bus_${process.pid}`;
const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const buses: SignalBus[] = [];
const servers: ChildProcess[] = [];

beforeAll(async () => {
  await asAdmin(`create database ${database}`);
});
afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  await asAdmin(`drop database ${database} with (force)`);
  await Promise.all(servers.splice(0).map(stop));
});

test('over PostgreSQL a signal reaches every process that listens, the sender too', async () => {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  await expectDelivery({ kind: 'postgres', url: url.href });
});

test('who announces a change goes on when the listeners of the process have acted on it', async () => {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const errors: Error[] = [];
  const bus = await openBus(
    { kind: 'postgres', url: url.href },
    (error) => void errors.push(error),
  );
  const acted: string[] = [];
  await bus.subscribe('project.*', async (topic) => {
    await delay(50);
    acted.push(topic);
  });
  await bus.subscribe('project.broken', () => Promise.reject(new Error('cannot act')));
  await bus.announce('project.abc', {});
  expect(acted).toEqual(['project.abc']);
  await bus.announce('project.broken', {});
  expect(errors.map(({ message }) => message)).toContain('cannot act');
  await bus.announce('project.abc.more', {});
  expect(acted).not.toContain('project.abc.more');
});

testIf(hasRedis, 'no redis-server on this machine (package redis-server)')(
  'over Redis a signal reaches every process that listens, the sender too',
  async () => {
    const port = await freePort();
    await startRedis(port);
    await expectDelivery({ kind: 'redis', url: `redis://127.0.0.1:${port}` });
  },
);

testIf(hasRedis, 'no redis-server on this machine (package redis-server)')(
  'a sender does not wait for a Redis that is away, and is heard again when it is back',
  async () => {
    const port = await freePort();
    const server = await startRedis(port);
    const transport = { kind: 'redis', url: `redis://127.0.0.1:${port}` } as const;
    const errors: Error[] = [];
    const report = (error: Error) => void errors.push(error);
    const [sender, other] = [await openBus(transport, report), await openBus(transport, report)];
    const heard: unknown[] = [];
    await other.subscribe('project.*', (_topic, data) => void heard.push(data));
    await stop(server);
    await sender.publish('project.abc', 'away');
    await startRedis(port);
    const deadline = Date.now() + 60_000;
    while (!heard.includes('back') && Date.now() < deadline) {
      await sender.publish('project.abc', 'back');
      await delay(500);
    }
    expect(heard).toContain('back');
    expect(errors).not.toEqual([]);
  },
  90_000,
);

async function expectDelivery(transport: JobStore): Promise<void> {
  const [sender, other] = [await openBus(transport), await openBus(transport)];
  const heard: string[] = [];
  const allHeard = new Promise<void>((resolve) => {
    const hear = (name: string) => (topic: string, data: unknown) => {
      heard.push(`${name} ${topic} ${JSON.stringify(data)}`);
      if (heard.length === 2) resolve();
    };
    void Promise.all([
      sender.subscribe('project.*', hear('sender')),
      other.subscribe('project.*', hear('other')),
    ]).then(() => sender.publish('project.abc', { version: 2 }));
  });
  await allHeard;
  expect(heard.toSorted()).toEqual([
    'other project.abc {"version":2}',
    'sender project.abc {"version":2}',
  ]);
}

async function openBus(
  transport: JobStore,
  onError: (error: Error) => void = (error) => {
    throw error;
  },
): Promise<SignalBus> {
  const bus = await openSignalBus(transport, onError);
  buses.push(bus);
  return bus;
}

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function startRedis(port: number): Promise<ChildProcess> {
  const server = spawn('redis-server', ['--port', `${port}`, '--save', '', '--bind', '127.0.0.1']);
  servers.push(server);
  for await (const line of server.stdout) if (String(line).includes('Ready to accept')) break;
  return server;
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill();
  await once(server, 'exit');
}

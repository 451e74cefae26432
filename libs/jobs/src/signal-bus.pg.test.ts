import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';

import { freePort, testIf } from '#libs/testing';

import type { JobStore } from './job-store.js';
import { openSignalBus, type SignalBus } from './signal-bus.js';

const database = `bus_${process.pid}`;
const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const buses: SignalBus[] = [];
let redis: ChildProcess | undefined;
let redisUrl = '';

beforeAll(async () => {
  await asAdmin(`create database ${database}`);
  if (hasRedis) await startRedis();
});
afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  await asAdmin(`drop database ${database} with (force)`);
  if (!redis) return;
  redis.kill();
  await once(redis, 'exit');
});

test('over PostgreSQL a signal reaches every process that listens, the sender too', async () => {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  await expectDelivery({ kind: 'postgres', url: url.href });
});

testIf(hasRedis, 'no redis-server on this machine (package redis-server)')(
  'over Redis a signal reaches every process that listens, the sender too',
  () => expectDelivery({ kind: 'redis', url: redisUrl }),
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

async function openBus(transport: JobStore): Promise<SignalBus> {
  const bus = await openSignalBus(transport, (error) => {
    throw error;
  });
  buses.push(bus);
  return bus;
}

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function startRedis(): Promise<void> {
  const port = await freePort();
  redisUrl = `redis://127.0.0.1:${port}`;
  redis = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1']);
  for await (const line of redis.stdout ?? []) if (String(line).includes('Ready to accept')) break;
}

// Two server processes of one deployment: messages and presence go from each to the other, over PostgreSQL and over
// Redis. When one is killed, its clients leave for those of the other.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { describeIf, waitFor } from '#libs/testing';

import {
  embeddedUrl,
  freePorts,
  makeFolder,
  type RowhouseProcess,
  startRowhouse,
} from '../start/rowhouse-process.js';
import type { ProjectUnderTest } from '../support/project.js';
import { TrialDeployment } from '../trial/deployment.js';
import { messagesIn } from './channel-fixture.js';
import { openClient, type RealtimeClient } from './realtime-client.js';
import { hasRedis, startRedis } from './redis-server.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

/** What docs/realtime.md says of a process that has died, and what a busy machine takes longer. */
const leftMs = 20_000;
const busyMs = 3_000;

describe('over PostgreSQL', () => tests({ isRedis: false }));
describeIf(hasRedis, 'no redis-server on this machine (package redis-server)')('over Redis', () =>
  tests({ isRedis: true }),
);

/** Another process of a deployment, with the role `api`. */
interface Other {
  readonly origin: string;
  readonly process: RowhouseProcess;
}

function tests({ isRedis }: { readonly isRedis: boolean }): void {
  let deployment: TrialDeployment;
  let project: ProjectUnderTest;
  let folder: string;
  let other: Other;
  let env: Readonly<Record<string, string>>;
  const endings: (() => unknown)[] = [];

  beforeAll(async () => {
    env = isRedis ? { REDIS_URL: await openRedis() } : {};
    deployment = await TrialDeployment.open(env);
    endings.push(() => deployment.remove());
    project = await deployment.createProject('shop');
    await project.sql(`create policy everybody on realtime.messages to anon
      using (topic = 'open') with check (topic = 'open')`);
    folder = await makeFolder();
    endings.push(() => rm(folder, { recursive: true, force: true }));
    other = await startOther();
  });
  afterAll(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function openRedis(): Promise<string> {
    const redis = await startRedis();
    endings.push(() => redis.stop());
    return redis.url;
  }

  async function startOther(): Promise<Other> {
    const { dataDir } = deployment;
    const ports = await freePorts();
    const process = startRowhouse({
      ...env,
      ...ports,
      ROLES: 'api',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: await embeddedUrl(dataDir, 'rowhouse'),
      MASTER_KEY: (await readFile(join(dataDir, 'master.key'), 'utf8')).trim(),
      DEFAULT_PROJECT: 'none',
      LOG_LEVEL: 'error',
    });
    endings.push(async () => {
      process.child.kill('SIGKILL');
      await process.ended();
    });
    await process.ready();
    return { origin: `http://127.0.0.1:${ports.PORT}`, process };
  }

  async function enter(origin: string, topic: string, config: object = {}) {
    const client = await openClient(project.through(origin));
    endings.push(() => client.close());
    const joined = await client.ask('rt:join', { topic, config });
    expect(joined).toMatchObject({ status: 'ok' });
    return { client, joined };
  }

  const present = async (origin: string, key: string) => {
    const { client } = await enter(origin, 'hall', { presence: { key } });
    expect(await client.ask('rt:track', { topic: 'hall', payload: { key } })).toEqual({
      status: 'ok',
    });
    return client;
  };
  const shows = (client: RealtimeClient, ...keys: readonly string[]) =>
    waitFor(() => JSON.stringify(keysIn(client)) === JSON.stringify(keys), {
      until: `${keys.join(', ')} are present`,
      ms: leftMs + busyMs,
    });

  test.each([
    { name: 'a public topic', topic: 'room', isPrivate: false },
    { name: 'a private topic', topic: 'open', isPrivate: true },
  ])('a message in $name arrives once at the clients of both', async ({ topic, isPrivate }) => {
    const config = { private: isPrivate };
    const { client: here } = await enter(deployment.apiOrigin, topic, config);
    const { client: there } = await enter(other.origin, topic, config);
    const send = (client: RealtimeClient, payload: string) =>
      client.ask('rt:send', { topic, event: 'e', payload });
    // Processes learn of each other with a word that may still be under way.
    const both = [
      { from: here, to: there },
      { from: there, to: here },
    ];
    for (const { from, to } of both) {
      const arrives = async (): Promise<boolean> => {
        await send(from, 'first');
        return messagesIn(to).includes('first');
      };
      await waitFor(arrives, { until: 'a message arrives', everyMs: 200 });
    }
    await send(here, 'from here');
    await send(there, 'from there');
    const message = { topic, event: 'e', payload: 'over HTTP', private: isPrivate };
    const call = { method: 'POST', path: '/api/realtime/broadcast', body: { messages: [message] } };
    expect((await project.through(other.origin).asService(call)).status).toBe(202);
    await project.sql(`select realtime.send('"from SQL"', 'e', '${topic}', ${isPrivate})`);
    const lasting = (client: RealtimeClient) =>
      messagesIn(client).filter((one) => one !== 'first' && one !== 'end');
    const expected = [
      { client: here, messages: ['from SQL', 'from there', 'over HTTP'] },
      { client: there, messages: ['from SQL', 'from here', 'over HTTP'] },
    ];
    for (const { client, messages } of expected) {
      await waitFor(() => lasting(client).length >= messages.length);
    }
    for (const { from, to } of both) {
      await send(from, 'end');
      await waitFor(() => messagesIn(to).includes('end'));
    }
    for (const { client, messages } of expected) {
      expect(lasting(client).toSorted()).toEqual(messages);
    }
  });

  test('who is present in one is present for clients of both, until it leaves', async () => {
    const here = await present(deployment.apiOrigin, 'here');
    const there = await present(other.origin, 'there');
    for (const client of [here, there]) await shows(client, 'here', 'there');
    const { joined } = await enter(other.origin, 'hall');
    expect(Object.keys(joined['presence'] as object).toSorted()).toEqual(['here', 'there']);
    await here.ask('rt:untrack', { topic: 'hall' });
    await shows(there, 'there');
    there.close();
    await shows(here);
    here.close();
  });

  test('the clients of a killed process leave for those of the other', async () => {
    const here = await present(deployment.apiOrigin, 'here');
    for (const key of ['there 1', 'there 2']) await present(other.origin, key);
    await shows(here, 'here', 'there 1', 'there 2');
    const killedAt = performance.now();
    other.process.child.kill('SIGKILL');
    await other.process.ended();
    await shows(here, 'here');
    expect(performance.now() - killedAt).toBeLessThan(leftMs + busyMs);

    other = await startOther();
    const back = await present(other.origin, 'back');
    for (const client of [here, back]) await shows(client, 'back', 'here');
  });
}

/** The keys of the state that a client has received last. */
function keysIn(client: RealtimeClient): readonly string[] {
  return Object.keys((client.frames('rt:presence').at(-1)?.['state'] ?? {}) as object).toSorted();
}

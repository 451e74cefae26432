// Owners who open every connection that the server gives them keep no request from its own.
import { afterAll, expect, vi, test } from 'vitest';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { send } from '../support/http.js';
import { freePorts, makeFolder, startRowhouse, type RowhouseProcess } from './rowhouse-process.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const operator = { email: 'operator@rowhouse.test', password: 'correct horse battery' };
const owners = 11;
const connectionsOfOne = 20;
let dataDir: string | undefined;
let running: RowhouseProcess | undefined;
const open: Client[] = [];

afterAll(async () => {
  await Promise.all(open.map((client) => client.end()));
  running?.child.kill('SIGTERM');
  await running?.ended();
  if (dataDir !== undefined) await rm(join(dataDir, '..'), { recursive: true, force: true });
});

test('eleven owners with all connections that they get leave every project served', async () => {
  dataDir = join(await makeFolder(), 'data');
  const ports = await freePorts();
  running = startRowhouse({
    ...ports,
    DATA_DIR: dataDir,
    OPERATOR_EMAIL: operator.email,
    OPERATOR_PASSWORD: operator.password,
  });
  await running.ready();
  const projects = await makeProjects(`http://127.0.0.1:${ports.CONSOLE_PORT}`);
  const urls = projects.slice(0, owners).map(({ databaseUrl }) => databaseUrl);
  const refusals = await takeEverything(urls);
  expect(refusals).toContain('53300');
  for (const { ref, secretKey } of projects) {
    const reply = await send(`http://127.0.0.1:${ports.PORT}`, {
      path: '/rest/v1/',
      headers: { host: `${ref}.localhost`, apikey: secretKey },
    });
    expect({ ref, status: reply.status }).toEqual({ ref, status: 200 });
  }
});

interface MadeProject {
  readonly ref: string;
  readonly databaseUrl: string;
  readonly secretKey: string;
}

/** One more than there are greedy owners: its first request comes when everything is taken. */
async function makeProjects(origin: string): Promise<MadeProject[]> {
  const login = await send(origin, { path: '/platform/login', method: 'POST', body: operator });
  const { token } = login.body as { token: string };
  const made: MadeProject[] = [];
  for (let index = 0; index <= owners; index += 1) {
    const reply = await send(origin, {
      path: '/platform/projects',
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: { name: `Greedy ${index}` },
    });
    made.push(reply.body as MadeProject);
  }
  return made;
}

/** Opens what each owner may have. Returns the SQLSTATEs of those that were refused. */
async function takeEverything(urls: readonly string[]): Promise<string[]> {
  const refusals: string[] = [];
  for (const url of urls) {
    for (let index = 0; index < connectionsOfOne; index += 1) {
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        open.push(client);
      } catch (error) {
        refusals.push(String(Reflect.get(Object(error), 'code')));
      }
    }
  }
  return refusals;
}

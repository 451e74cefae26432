// What administrators of the deployment see of it: the process, its parts, its projects and its environment.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEnv } from '../../bin/env-variables.js';
import { ownFacts, startConsole, type TestConsole } from './console-under-test.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

const secrets = {
  MASTER_KEY: 'm'.repeat(40),
  DATABASE_URL: 'postgres://admin:hush-database@db.example.org/postgres',
  REDIS_URL: 'redis://:hush-redis@redis.example.org',
  OPERATOR_PASSWORD: 'hush-operator',
  METRICS_TOKEN: 'hush-metrics-token',
  SMTP_PASSWORD: 'hush-smtp',
  S3_SECRET_ACCESS_KEY: 'hush-s3',
  ROWHOUSE_SECRET_KEY: 'svc_secret_hush',
};
const variables = describeEnv({ ...secrets, PORT: '8000', HOST: ' ', ROOT_DOMAIN: 'rows.test' });

let apiStatus = 200;
const api = createServer((_request, response) => response.writeHead(apiStatus).end('{}'));
let console: TestConsole;
let project: OwnedProject;
let admin: string;

beforeAll(async () => {
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const address = api.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  console = await startConsole({
    apiInternalUrl: `http://127.0.0.1:${port}`,
    deployment: { ...ownFacts, variables },
  });
  project = await openOwnedProject(console);
  admin = await console.signIn(console.admin.email, console.admin.password);
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
  api.close();
}, 60_000);

const read = async () => (await console.call('GET', '/platform/deployment', { token: admin })).body;
const partsOf = async () =>
  Object.fromEntries(
    (await read()).parts.map((part: { name: string; state: string; detail: string }) => [
      part.name,
      part,
    ]),
  );
const plan = (kind: string, due: string, leased = 'null') =>
  console.fixture.controlPlane.dataSource.query(
    `insert into operation (kind, ref, organization_id, next_try_at, deadline, leased_until)
     values ($1, $2, $3, now() + $4::interval, now(), now() + ${leased}::interval)`,
    [kind, project.ref, console.fixture.organizationId, due],
  );

test('it has the versions, the machine and the database server', async () => {
  const body = await read();
  expect(body).toMatchObject({
    version: 'test',
    process: { node: process.version, pid: process.pid, roles: ['console'] },
    database: { kind: 'external', version: expect.stringMatching(/^\d+/) },
    jobStore: 'postgres',
    storage: 'local',
    canMail: true,
  });
  expect(body.machine.processors).toBeGreaterThan(0);
  expect(body.database.connections.limit).toBeGreaterThan(body.database.connections.reserved);
  expect(body.database.connections.open).toBeGreaterThan(0);
  expect(body.disk.totalBytes).toBeGreaterThan(body.disk.reserveBytes);
});

test('it counts projects and those that lack something of this release', async () => {
  const before = (await read()).fleet;
  expect(before).toMatchObject({ upgrade: { pending: 0, failures: [], run: null, snapshots: 0 } });
  expect(before.projects.active).toBeGreaterThan(0);
  const { dataSource } = console.fixture.controlPlane;
  await dataSource.query(`update project set migrated_to = 'earlier' where ref = $1`, [
    project.ref,
  ]);
  expect((await read()).fleet.upgrade.pending).toBe(1);
  await dataSource.query(`update project set migrated_to = $2 where ref = $1`, [
    project.ref,
    before.release,
  ]);
});

describe('the parts', () => {
  test('an API that is not ready, and one that is', async () => {
    apiStatus = 503;
    expect((await partsOf())['api']).toMatchObject({
      state: 'problem',
      detail: 'It is not ready: /readyz returns 503',
    });
    apiStatus = 200;
    expect((await partsOf())['api']).toMatchObject({ state: 'good' });
  });

  test('an API that does not answer', async () => {
    await using alone = await startConsole();
    const token = await alone.signIn(alone.admin.email, alone.admin.password);
    const { body } = await alone.call('GET', '/platform/deployment', { token });
    expect(body.parts).toContainEqual({
      name: 'api',
      state: 'problem',
      detail: 'It does not answer at all (API_INTERNAL_URL)',
    });
  });

  test('a worker is missing when due work is not taken up', async () => {
    const worker = async () => (await partsOf())['worker'];
    expect(await worker()).toMatchObject({ state: 'unknown' });
    await plan('sweep', '1 hour');
    expect(await worker()).toMatchObject({ state: 'unknown' });
    await plan('migrate', '-3 minutes');
    expect(await worker()).toMatchObject({ state: 'problem' });
    expect((await read()).fleet.work).toMatchObject({
      open: 2,
      running: 0,
      overdue: 1,
      overdueSince: expect.any(String),
    });
    await plan('repair-logins', '-1 minute', `'1 minute'`);
    expect(await worker()).toMatchObject({ state: 'good', detail: 'It works on projects now' });
  });
});

describe('the environment', () => {
  const list = () => console.call('GET', '/platform/deployment/environment', { token: admin });
  const variable = async (name: string) =>
    (await list()).body.variables.find((each: { name: string }) => each.name === name);

  test('has the value of a variable, its default and its meaning', async () => {
    expect(await variable('ROOT_DOMAIN')).toEqual({
      name: 'ROOT_DOMAIN',
      default: '`localhost`',
      meaning: 'Projects answer at `<ref>.<ROOT_DOMAIN>`.',
      isSecret: false,
      isSet: true,
      value: 'rows.test',
    });
    expect(await variable('HOST')).toMatchObject({ isSet: false, value: null });
  });

  test.each(Object.keys(secrets))('says of %s that it is set, and no more', async (name) => {
    expect(await variable(name)).toMatchObject({ isSecret: true, isSet: true, value: null });
  });

  test('has no value of a secret anywhere', async () => {
    const texts = [(await list()).text, JSON.stringify(await read())];
    for (const secret of Object.values(secrets)) {
      for (const text of texts) expect(text).not.toContain(secret);
    }
    for (const text of texts) expect(text).not.toMatch(/hush/);
  });
});

test.each(['/platform/deployment', '/platform/deployment/environment'])(
  '%s is for administrators of the deployment alone',
  async (path) => {
    const { token } = await addMember(console, project, { role: 'owner' });
    expect(await console.call('GET', path, { token })).toMatchObject({
      status: 403,
      body: { code: 'DEPLOYMENT_ADMIN_REQUIRED' },
    });
    expect((await console.call('GET', path)).status).toBe(401);
  },
);

// The password of a project's owner on the database server: read and replaced by operators, with audit entries.
import { getProjectRecord } from '#libs/control-plane';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import pg from 'pg';
import { withClient } from '../support/test-server.js';
import { startConsole, type TestConsole } from './console-under-test.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

let console: TestConsole;
let owned: OwnedProject;
let neighbor: OwnedProject;
let owner: string;
beforeAll(async () => {
  console = await startConsole();
  [owned, neighbor] = [await openOwnedProject(console), await openOwnedProject(console)];
  owner = (await addMember(console, owned, { role: 'owner' })).token;
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

let url: string;
beforeEach(async () => {
  url = (await read(owner)).body.databaseUrl;
});

const at = (): string => `/platform/projects/${owned.ref}/database`;
const read = (token: string) => console.call('GET', at(), { token });
const rotate = (token: string) => console.call('POST', `${at()}/password`, { token });
const entries = async () => {
  const path = `/platform/projects/${owned.ref}/audit`;
  const { body } = await console.call('GET', path, { token: owner });
  return body.entries.filter(({ action }: { action: string }) => action.endsWith('-password'));
};

test('a new password takes the place of the old one, whose connections end', async () => {
  const before = await getProjectRecord(console.fixture.context, owned.ref);
  const holder = new pg.Client({ connectionString: url });
  holder.on('error', () => undefined);
  await holder.connect();
  const ended = new Promise((resolve) => holder.once('end', resolve));
  // A session may hold a lock on its own login.
  await holder.query(`begin; alter role current_user password 'stolen'`);
  const reply = await rotate(owner);
  expect(reply.status).toBe(200);
  await ended;
  expect(Object.keys(reply.body).toSorted()).toEqual([
    'database',
    'databaseUrl',
    'host',
    'port',
    'user',
  ]);
  await expect(withClient(url, async () => undefined)).rejects.toMatchObject({ code: '28P01' });
  await withClient(reply.body.databaseUrl, async () => undefined);
  expect((await read(owner)).body).toEqual(reply.body);
  // The processes that serve the project use it too.
  const after = await getProjectRecord(console.fixture.context, owned.ref);
  const { password } = new URL(reply.body.databaseUrl);
  expect(after?.database.logins.owner.password).toBe(password);
  expect(after?.database.logins.api).toEqual(before?.database.logins.api);
  expect(after?.version).toBeGreaterThan(before?.version ?? Infinity);
  expect(console.fixture.published.at(-1)).toMatchObject({
    data: { kind: 'record', version: after?.version },
  });
});

test.each([
  { name: 'reading', call: read, status: 200, action: 'project.read-database-password' },
  { name: 'replacing', call: rotate, status: 200, action: 'project.rotate-database-password' },
])('$name the password writes an audit entry without it', async ({ call, status, action }) => {
  const count = (await entries()).length;
  const reply = await call(owner);
  expect(reply.status).toBe(status);
  const written = await entries();
  expect(written).toHaveLength(count + 1);
  expect(written[0]).toMatchObject({ action, ref: owned.ref, target: owned.ref });
  const { password } = new URL(reply.body.databaseUrl);
  expect(JSON.stringify(written)).not.toContain(password);
});

test.each([
  {
    name: 'an operator without secrets.manage',
    token: async () => (await addMember(console, owned, { role: 'viewer' })).token,
    status: 403,
  },
  {
    name: 'an operator of another organization',
    token: async () => (await addMember(console, neighbor, { role: 'owner' })).token,
    status: 404,
  },
])('$name neither reads nor replaces it', async ({ token, status }) => {
  const other = await token();
  const count = (await entries()).length;
  expect((await read(other)).status).toBe(status);
  expect((await rotate(other)).status).toBe(status);
  await withClient(url, async () => undefined);
  expect(await entries()).toHaveLength(count);
});

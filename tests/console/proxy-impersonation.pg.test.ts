// An operator tries policies: requests on tables as a user or a visitor of the project.
import { randomBytes } from 'node:crypto';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { startConsole, type TestConsole } from './console-under-test.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';
import { type RecordingApi, startRecordingApi } from './recording-api.js';

let api: RecordingApi;
let console: TestConsole;
let owned: OwnedProject;
let owner: { token: string; email: string };
let support: { token: string };
let base: string;

beforeAll(async () => {
  api = await startRecordingApi();
  console = await startConsole({ apiInternalUrl: api.url, assertionKey: randomBytes(32) });
  owned = await openOwnedProject(console);
  owner = await addMember(console, owned, { role: 'owner' });
  support = await addMember(console, owned, { role: 'support' });
  base = `/platform/projects/${owned.ref}/api`;
}, 60_000);
afterEach(() => {
  api.requests.length = 0;
});
afterAll(async () => {
  await console[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
}, 60_000);

const read = (path: string, token: string, actsAs: string) =>
  console.call('GET', `${base}${path}`, { token, headers: { 'x-service-impersonate': actsAs } });

async function impersonations(): Promise<readonly Record<string, unknown>[]> {
  const path = `/platform/projects/${owned.ref}/audit?action=project.impersonate`;
  return (await console.call('GET', path, { token: owner.token })).body.entries;
}

test.each(['u1', 'anon'])(
  'a read as %s arrives as such, and is in the audit log',
  async (actsAs) => {
    const before = (await impersonations()).length;
    const reply = await read('/rest/v1/notes?select=id', owner.token, actsAs);
    expect(reply.status).toBe(200);
    expect(api.requests.at(-1)?.headers['x-service-impersonate']).toBe(actsAs);
    const entries = await impersonations();
    expect(entries).toHaveLength(before + 1);
    expect(entries[0]).toMatchObject({
      operatorEmail: owner.email,
      target: `GET /api/rest/v1/notes as ${actsAs}`,
      after: { status: 200 },
    });
  },
);

test.each([
  {
    name: 'without secrets.manage',
    path: '/rest/v1/notes',
    token: () => support.token,
    actsAs: 'u1',
    answer: { status: 403, body: { code: 'CAPABILITY_REQUIRED' } },
  },
  {
    name: 'on a route of administration',
    path: '/admin/users',
    token: () => owner.token,
    actsAs: 'u1',
    answer: { status: 403, body: { code: 'IMPERSONATION_REFUSED' } },
  },
  {
    name: 'with a text that is no id',
    path: '/rest/v1/notes',
    token: () => owner.token,
    actsAs: 'u'.repeat(65),
    answer: { status: 400, body: { code: 'INVALID_INPUT' } },
  },
])('$name it is refused, and neither sent nor logged', async ({ path, token, actsAs, answer }) => {
  const before = (await impersonations()).length;
  expect(await read(path, token(), actsAs)).toMatchObject(answer);
  expect(api.requests).toEqual([]);
  expect(await impersonations()).toHaveLength(before);
});

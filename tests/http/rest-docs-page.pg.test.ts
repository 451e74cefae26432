// The page that describes the REST API to administrators, on the project's host and behind the console.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';

import { documentProblems } from '../../libs/rest-docs/tests/document-problems.js';
import { assertionFor } from '../isolation/neighbours.js';
import { asRecord, asSuperuser, eventually, House } from '../support/house.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

let house: House;
let project: ProjectUnderTest;
let sibling: ProjectUnderTest;
let user: SignedIn;
let admin: SignedIn;

const page = '/api/admin/rest/docs';
const pageDocument = `${page}/openapi.json`;

beforeAll(async () => {
  house = await House.open();
  [project, sibling] = await Promise.all([house.createProject(), house.createProject()]);
  await project.sql(`
    create table posts (id int primary key);
    create table drawer (id int primary key);
    revoke all on drawer from anon, authenticated;`);
  user = await project.signUp('user@example.org');
  admin = await project.signUp('admin@example.org');
  await asSuperuser(`update auth."user" set role = 'ADMIN' where id = $1`, {
    database: project.database,
    values: [admin.id],
  });
});
afterAll(() => house.close());

const pathsIn = ({ body }: Reply): readonly string[] =>
  Object.keys(asRecord(asRecord(body)['paths']));

const asAdmin = (call: Call) =>
  project.send({ ...call, headers: { cookie: admin.cookie, ...call.headers } });

test.each([page, `${page}/`, '/admin/rest/docs'])('%s and its files', async (path) => {
  const reply = await asAdmin({ path });
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  const links = [...reply.text.matchAll(/(?:src|href|data-document)="([^"]+)"/g)];
  expect(links).toHaveLength(5);
  for (const [, link = ''] of links) {
    expect(link).not.toMatch(/^(?:\/|\w+:)/);
    const file = await asAdmin({ path: new URL(link, `http://host${path}`).pathname });
    expect({ link, status: file.status }).toEqual({ link, status: 200 });
    expect(file.text.length).toBeGreaterThan(500);
  }
});

test('its policy allows its own script and nothing from elsewhere', async () => {
  const reply = await asAdmin({ path: page });
  const policy = String(reply.headers['content-security-policy']);
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(reply.text) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
  expect(policy).toContain(`default-src 'none'`);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test('the name of the project is text', async () => {
  const name = `<script>alert('x')</script> & "co"`;
  const path = `/platform/projects/${sibling.ref}`;
  expect((await house.console({ method: 'PATCH', path, body: { name } })).status).toBe(200);
  const shown = async () => (await sibling.asService({ path: page })).text;
  await eventually(async () => (await shown()).includes('&lt;script&gt;alert'));
  expect(await shown()).not.toContain('<script>alert');
});

test.each([
  { who: 'nobody', headers: () => ({}), status: 401 },
  { who: 'a user', headers: () => ({ cookie: user.cookie }), status: 403 },
  {
    who: 'the publishable key',
    headers: () => ({ apikey: project.publishableKey }),
    status: 401,
  },
  {
    who: 'an administrator by bearer',
    headers: () => ({ authorization: `Bearer ${admin.token}` }),
    status: 200,
  },
  { who: 'the secret key', headers: () => ({ apikey: project.secretKey }), status: 200 },
  {
    who: 'an operator',
    headers: () => ({ 'x-rowhouse-operator': assertionFor(house, project.ref) }),
    status: 200,
  },
])('$who gets $status', async ({ headers, status }) => {
  for (const path of [page, pageDocument]) {
    expect((await project.send({ path, headers: headers() })).status).toBe(status);
  }
});

test('its document shows what the administrator may use, on the host of the page', async () => {
  const reply = await asAdmin({ path: pageDocument });
  expect(documentProblems(reply.body)).toEqual([]);
  expect(reply.body).toMatchObject({ servers: [{ url: '/rest/v1' }] });
  expect(pathsIn(reply)).toContain('/posts');
  expect(reply.text).not.toContain('drawer');
});

test('through the console the document names the address of the project', async () => {
  const behind = (path: string) =>
    house.console({ path: `/platform/projects/${project.ref}${path}` });
  const reply = await behind(pageDocument);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    servers: [{ url: expect.stringContaining(`//${project.ref}.localhost`) }],
  });
  expect(pathsIn(reply)).toContain('/drawer');
});

test('through the console every file of the page is found', async () => {
  const prefix = `/platform/projects/${project.ref}`;
  const reply = await house.console({ path: `${prefix}${page}` });
  expect(reply.status).toBe(200);
  for (const [, link = ''] of reply.text.matchAll(/(?:src|href|data-document)="([^"]+)"/g)) {
    const { pathname } = new URL(link, `http://host${prefix}${page}`);
    const file = await house.console({ path: pathname });
    expect({ pathname, status: file.status }).toEqual({ pathname, status: 200 });
  }
});

// Who reads the schema of a project: its administrators, and operators with content.read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeSignedIn, operatorHeaders } from '../http/administration.js';
import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

const path = '/api/admin/schema';
let deployment: Deployment;
let a: ProjectUnderTest;
let b: ProjectUnderTest;
let admin: SignedIn;
let user: SignedIn;
let functionOfB: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  [a, b] = await Promise.all([deployment.createProject(), deployment.createProject()]);
  await a.sql('create table of_a (id int primary key)');
  await b.sql(`
    create table of_b (id int primary key);
    create type enum_of_b as enum ('x');
    create function function_of_b() returns int language sql as 'select 1'`);
  admin = await makeSignedIn(a, 'admin@example.org');
  user = await makeSignedIn(a, 'user@example.org');
  await asSuperuser(`update auth."user" set role = 'ADMIN' where id::text = $1`, {
    database: a.database,
    values: [admin.id],
  });
  const { functions } = asRecord((await b.asService({ path })).body);
  functionOfB = String(asRecord((functions as unknown[])[0])['id']);
}, 60_000);
afterAll(() => deployment.close());

const paths = () => [path, '/admin/schema', `${path}/tables/of_a`];

test('administrators, the secret key and operators with content.read read it', async () => {
  const reader = operatorHeaders(deployment, a, ['content.read']);
  for (const each of paths()) {
    const replies = await Promise.all([
      a.as(admin, { path: each }),
      a.asService({ path: each }),
      a.send({ path: each, headers: reader }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const reply of replies) {
      expect(reply.body).toEqual(replies[0].body);
      expect(reply.headers['cache-control']).toBe('no-store');
    }
  }
});

describe('is refused', () => {
  test.each([
    { name: 'a visitor', call: (each: string) => a.send({ path: each }), status: 401 },
    {
      name: 'the publishable key',
      call: (each: string) => a.send({ path: each, headers: { apikey: a.publishableKey } }),
      status: 401,
    },
    { name: 'a user', call: (each: string) => a.as(user, { path: each }), status: 403 },
    {
      name: 'an operator with every capability but content.read',
      call: (each: string) =>
        a.send({
          path: each,
          headers: operatorHeaders(deployment, a, [
            'settings.manage',
            'secrets.manage',
            'content.write',
          ]),
        }),
      status: 403,
    },
    {
      name: 'the administrator of another project',
      call: (each: string) => b.as(admin, { path: each }),
      status: 401,
    },
  ])('$name', async ({ call, status }) => {
    for (const each of [...paths(), `${path}/functions/${functionOfB}`]) {
      const reply = await call(each);
      expect(reply.status).toBe(status);
      expect(reply.text).not.toMatch(/of_[ab]/);
    }
  });
});

test('an administrator sees nothing of another project', async () => {
  const listed = await a.as(admin, { path });
  expect(listed.text).toContain('of_a');
  expect(listed.text).not.toContain('of_b');
  expect((await a.as(admin, { path: `${path}/tables/of_b` })).status).toBe(404);
  const reply = await a.as(admin, { path: `${path}/functions/${functionOfB}` });
  expect(reply.text).not.toContain('function_of_b');
});

test('another method is refused', async () => {
  expect((await a.asService({ method: 'POST', path, body: {} })).status).toBe(405);
});

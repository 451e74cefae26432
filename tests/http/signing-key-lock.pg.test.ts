// The owner of a project holds what locks the database gives to any login. New signing keys do not wait for it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let owner: pg.Client;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  owner = new pg.Client({ connectionString: project.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await deployment.close();
});

const rotate = () =>
  project.asService({
    method: 'POST',
    path: '/api/admin/auth/keys/rotate',
    body: {},
    signal: AbortSignal.timeout(5000),
  });

test('an advisory lock of any number holds up no rotation', async () => {
  await rotate();
  await owner.query('begin');
  // The numbers of the platform's source are known to everybody.
  await owner.query('select pg_advisory_xact_lock($1)', ['7305804402566105']);
  await owner.query('select pg_advisory_lock_shared(0)');
  const reply = await rotate();
  expect(reply.status).toBe(200);
  expect(typeof asRecord(reply.body)['keyId']).toBe('string');
  await owner.query('rollback');
});

test.each([
  'lock table auth.jwks in access exclusive mode',
  'lock table auth.jwks in share mode',
  'lock table auth.jwks in access share mode',
  'select id from auth.jwks for update',
  'select id from auth.jwks for key share',
])('the owner cannot lock the keys: %s', async (statement) => {
  await owner.query('begin');
  await expect(owner.query(statement)).rejects.toMatchObject({ code: '42501' });
  await owner.query('rollback');
  expect((await rotate()).status).toBe(200);
});

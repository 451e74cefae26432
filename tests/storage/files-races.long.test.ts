// Changes of files whose policies are still being asked when somebody else deletes the file.
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { waitFor } from '#libs/testing';
import { Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket } from './bucket-rows.js';
import { FilePlace, localPlace } from './stored-files.js';

/** Number of the advisory lock that policies wait for. */
const pauseLock = 4711;

let deployment: Deployment;
let project: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  place = localPlace(deployment, project);
  ada = await project.signUp('ada@example.org');
  await makeBucket(project, 'slow');
  // Whoever holds the lock decides how long policies take.
  await project.sql(`
    create function pause() returns boolean language plpgsql volatile as
      $$ begin perform pg_advisory_xact_lock_shared(${pauseLock}); return true; end $$;
    create policy slow_update on storage.files as restrictive for update using (bucket <> 'slow' or pause());
    create policy slow_delete on storage.files as restrictive for delete using (bucket <> 'slow' or pause());
  `);
}, 60_000);
afterAll(() => deployment.close());

const slow = (key: string) => place.put({ bucket: 'slow', key, ownerId: ada.id });
const post = (verb: string, body: object): Call => ({
  method: 'POST',
  path: `/api/files/${verb}`,
  body: { bucket: 'slow', upsert: true, ...body },
});

test.each([
  {
    name: 'a change',
    call: (id: string): Call => ({
      method: 'PATCH',
      path: `/api/files/${id}`,
      body: { metadata: {} },
    }),
    status: 404,
  },
  {
    name: 'a deletion',
    call: (id: string): Call => ({ method: 'DELETE', path: `/api/files/${id}` }),
    status: 404,
  },
  {
    name: 'a move of it',
    call: (id: string) => post('move', { from: id, to: 'free.txt' }),
    status: 404,
  },
  {
    name: 'a move to its key',
    call: (_id: string, key: string) => post('move', { from: 'other.txt', to: key }),
    status: 200,
  },
  {
    name: 'an upload in its place',
    call: (_id: string, key: string): Call => ({
      method: 'PUT',
      path: `/api/files/object/slow/${key}?upsert=true`,
      body: { new: true },
    }),
    status: 201,
  },
])('was refused by nobody: $name gets $status', async ({ call, status }) => {
  await place.put({ bucket: 'slow', key: 'other.txt', ownerId: ada.id, upsert: true });
  const { id, key } = await slow(`going-${status}-${randomUUID()}.txt`);
  const reply = await whilePaused(
    () => project.as(ada, call(id, key)),
    async () => {
      const gone = await project.asService({ method: 'DELETE', path: `/api/files/${id}` });
      expect(gone.status).toBe(200);
    },
  );
  expect(reply.status).toBe(status);
});

/** Begins a request, does the work when policies wait, and gives the answer. */
async function whilePaused(begin: () => Promise<Reply>, work: () => Promise<void>): Promise<Reply> {
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${project.database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [pauseLock]);
    const reply = begin();
    await waitFor(async () => {
      const { rowCount } = await client.query(
        `select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      );
      return rowCount === 1;
    });
    await work();
    await client.query('select pg_advisory_unlock($1)', [pauseLock]);
    return await reply;
  } finally {
    await client.end();
  }
}

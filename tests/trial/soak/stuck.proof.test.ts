// What the inspection after a soak finds: each kind of thing that is stuck or left over is put into a deployment once.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { Chance } from '../../soak/chance.js';
import { makeBucket } from '../../storage/bucket-rows.js';
import type { ProjectUnderTest } from '../../support/project.js';
import type { Trial } from '../case.js';
import { TrialDeployment } from '../deployment.js';
import { openTrialInbox } from '../inbox.js';
import { openWebhookReceiver } from '../webhook-receiver.js';
import { listStuck } from './stuck.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const id = '00000000-0000-4000-8000-000000000001';
const databaseId = 'd00000000000000000000';
let deployment: TrialDeployment;
let project: ProjectUnderTest;
let trial: Trial;

beforeAll(async () => {
  deployment = await TrialDeployment.open();
  project = await deployment.createProject('shop');
  await makeBucket(project, 'films');
  const [inbox, receiver] = [await openTrialInbox(), await openWebhookReceiver()];
  const parts = { inbox, receiver, createdMs: [], chance: new Chance(1), roundsMs: 0 };
  trial = { deployment, projects: [project], ...parts };
});
afterAll(async () => {
  await trial.inbox.close();
  await trial.receiver.close();
  await deployment.remove();
});

test('a deployment at rest has nothing', async () => {
  expect(await listStuck(trial)).toEqual([]);
});

test('an upload that was cut short is removed when its time is over', async () => {
  await deployment.ask(
    `insert into storage.uploads
       (id, bucket, key, version, driver, kind, size, media_type, visibility, upsert, expires_at)
     values ('${id}', 'films', 'a', '${id}', 'local', 'stream', 0, 'text/plain', 'private', false,
       pg_catalog.now() + '1 hour'::pg_catalog.interval)`,
    project.database,
  );
  expect(await listStuck(trial)).toEqual([]);
  expect(await deployment.ask('select from storage.uploads', project.database)).toEqual([]);
});

const late = `pg_catalog.now() + '1 day'::pg_catalog.interval`;
const ago = `pg_catalog.now() - '1 day'::pg_catalog.interval`;

test.each([
  {
    name: 'an operation that is not tried again',
    sql: `insert into operation (kind, ref, organization_id, state, deadline, next_try_at)
      select 'delete', 'ghost', id, 'failed', ${late}, 'infinity' from organization`,
    undo: `delete from operation where ref = 'ghost'`,
    found: '"ref":"ghost"',
  },
  {
    name: 'the note of a message that was never stored',
    sql: `insert into waiting_message (ref, id, noted_at, due_at) values ('shop', '${id}', ${ago}, ${late})`,
    undo: 'delete from waiting_message',
    found: `the note of message ${id} of shop`,
  },
  {
    name: 'logins that wait for their end',
    sql: `insert into leftover_logins (database_id, left_at) values ('${databaseId}', ${late})`,
    undo: 'delete from leftover_logins',
    found: `the logins of a deleted project: ${databaseId}`,
  },
  {
    name: 'a login without a project',
    sql: `create role ${databaseId}_owner`,
    undo: `drop role ${databaseId}_owner`,
    found: `a login without a project: ${databaseId}_owner`,
  },
  {
    name: 'a database without a project',
    sql: `create database p_${databaseId}`,
    undo: `drop database p_${databaseId}`,
    found: `a database without a project: p_${databaseId}`,
  },
  {
    name: 'a snapshot without a note',
    sql: 'create database rowhouse_snapshot_00',
    undo: 'drop database rowhouse_snapshot_00',
    found: 'a snapshot without a note: rowhouse_snapshot_00',
  },
])('$name is found', async ({ sql, undo, found }) => {
  await deployment.ask(sql);
  const stuck = await listStuck(trial);
  await deployment.ask(undo);
  expect(stuck).toEqual([expect.stringContaining(found)]);
});

test.each([
  { status: 'pending', next: late },
  { status: 'dead', next: 'null' },
])('a webhook that is $status is found', async ({ status, next }) => {
  await deployment.ask(
    `with hook as (
       insert into storage.webhooks (bucket, url, secret, active)
       values ('films', 'http://localhost/', 'x', false) returning id
     )
     insert into platform.outbox (kind, source, event_id, target, payload, status, next_attempt_at)
     select 'webhook', id, 'e', '', '{}', '${status}', ${next} from hook`,
    project.database,
  );
  const stuck = await listStuck(trial);
  await deployment.ask('delete from storage.webhooks', project.database);
  expect(stuck).toEqual([expect.stringContaining(`"status":"${status}"`)]);
});

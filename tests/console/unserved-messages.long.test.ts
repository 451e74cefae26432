// Messages of projects that are not served wait: a deleted project may be restored, another one is upgraded later.
import { createProject, scheduleDeletion } from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';

import { parseEnv } from '../../bin/env.js';
import { jobStoreOf } from '../../bin/job-store-of.js';
import { startTestWorker } from '../support/test-worker.js';
import { openFixture, uniqueWord, type ControlPlaneFixture } from './control-plane-fixture.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

const states: { name: string; enter: (ref: string) => Promise<unknown> }[] = [
  {
    name: 'is deleted',
    enter: (ref) => scheduleDeletion(fixture.context, fixture.actor, { ref, days: 7 }),
  },
  {
    name: 'waits for rowhouse upgrade',
    enter: (ref) =>
      fixture.context.dataSource.query(`update project set migrated_to = 'older' where ref = $1`, [
        ref,
      ]),
  },
];

test.each(states)(
  'the worker looks at those of a project that $name every few minutes only',
  async ({ enter }) => {
    const { actor, organizationId, databaseUrl, databaseName, dataDir } = fixture;
    const context = { ...fixture.context, holdsUpgrades: true };
    const ref = uniqueWord('m');
    await createProject(context, actor, { name: 'Mails', ref, organizationId });
    await enter(ref);
    await context.dataSource.query(
      'insert into waiting_message (ref, id, due_at) values ($1, gen_random_uuid(), now())',
      [ref],
    );
    const env = parseEnv({ DATA_DIR: dataDir });
    const warnings: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
    const jobStore = jobStoreOf(env, databaseUrl, databaseName);
    const stop = await startTestWorker({ projects: context, jobStore, dataDir, log });
    try {
      await untilWaiting(ref, '4 minutes');
      expect(warnings).toEqual([]);
    } finally {
      await stop();
    }
  },
  60_000,
);

async function untilWaiting(ref: string, least: string): Promise<void> {
  const isDueLater = async () => {
    const rows: { waits: boolean }[] = await fixture.context.dataSource.query(
      `select due_at > now() + $2::interval as waits from waiting_message where ref = $1`,
      [ref, least],
    );
    return rows[0]?.waits === true;
  };
  await waitFor(isDueLater, { until: `the message of ${ref} is due later than in ${least}` });
}

// PostgreSQL dies at each step of the creation and of the deletion of a project: everything ends as an active project
// or as none within a minute, and the process of the product is not started again. `CRASH_ROUNDS` is the number of
// rounds, each of which kills the server at one more step: 42 are every step at every moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createProject,
  deleteProject,
  getProjectRecord,
  planUnfinished,
  type ProjectsContext,
} from '#libs/control-plane';

import { withClient } from '../support/test-server.js';
import { type CrashSite, inventory, openCrashSite, withinAMinute } from './crash-fixture.js';
import { uniqueWord } from './control-plane-fixture.js';
import { creationSteps, deletionSteps } from './project-steps.js';
import { loginKinds } from '../../libs/control-plane/src/provisioning/names.js';

const whole = loginKinds.map(() => 'login');

let site: CrashSite;
beforeAll(async () => {
  site = await openCrashSite();
}, 120_000);
afterAll(async () => {
  await site[Symbol.asyncDispose]();
}, 60_000);

const steps = [
  ...creationSteps.map((step) => ({ verb: 'create', step })),
  ...deletionSteps.map((step) => ({ verb: 'delete', step })),
] as const;
const moments = ['during', 'after', 'before'] as const;
type Moment = (typeof moments)[number];

// Each pass over the steps meets each of them at another moment, so that a run of one pass covers every step.
const cases = moments.flatMap((_, pass) =>
  steps.map((each, index) => ({ ...each, moment: momentAt(index + pass) })),
);
const rounds = Number(process.env['CRASH_ROUNDS'] ?? steps.length);
const played = Array.from({ length: Math.ceil(rounds / cases.length) }, () => cases)
  .flat()
  .slice(0, rounds)
  .map((each, index) => ({ round: index + 1, ...each }));

function momentAt(index: number): Moment {
  return moments[index % moments.length] ?? 'during';
}

/** A context in which the server is killed at the step `name`; `killed` gets the process that was. */
function killingAt(name: string, moment: Moment, killed: number[]): ProjectsContext {
  const kill = async (): Promise<void> => void killed.push(await site.kill());
  const runKilled = async (run: () => Promise<void>): Promise<void> => {
    if (moment === 'before') await kill();
    const running = run();
    running.catch(() => undefined); // It may fail before it is waited for.
    if (moment === 'during') {
      // Some statements of the step have run by then, or all, or none.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
      await kill();
    }
    await running;
    if (moment === 'after') await kill();
  };
  return {
    ...site.context,
    runSteps: (all) =>
      site.context.runSteps(
        all.map((step) =>
          step.name === name ? { ...step, run: () => runKilled(() => step.run()) } : step,
        ),
      ),
  };
}

const input = (ref: string) => ({ name: 'Crash', ref, organizationId: site.organizationId });

/** Whether no work is open, and all databases and logins belong to active projects. */
async function isSettled(): Promise<boolean> {
  const found = await inventory(site);
  const active = found.filter((word) => word === 'active').length;
  const expected = Array.from({ length: active }, () => ['database', 'active', ...whole]).flat();
  return JSON.stringify(found.toSorted()) === JSON.stringify(expected.toSorted());
}

test.each(played)(
  'round $round: $verb, killed $moment $step',
  async ({ verb, step, moment }) => {
    const ref = uniqueWord('k');
    if (verb === 'delete') await createProject(site.context, site.actor, input(ref));
    const killed: number[] = [];
    const context = killingAt(step, moment, killed);
    const attempt =
      verb === 'create'
        ? createProject(context, site.actor, input(ref))
        : deleteProject(context, site.actor, ref);
    await attempt.catch(() => undefined); // A crash after the last statement fails no statement.
    expect(killed).toHaveLength(1);
    await withinAMinute(isSettled);
    expect(await site.postmaster()).not.toBe(killed[0]);
    const record = await getProjectRecord(site.context, ref);
    if (verb === 'delete') expect(record).toBeUndefined();
    // The ref is free within a minute, or the project is there.
    if (record === undefined) {
      await withinAMinute(async () => {
        await createProject(site.context, site.actor, input(ref));
        return true;
      });
    }
    await deleteProject(site.context, site.actor, ref);
    expect(await inventory(site)).toEqual([]);
  },
  180_000,
);

test('the tables above name every step', async () => {
  const seen: string[] = [];
  const context: ProjectsContext = {
    ...site.context,
    runSteps: async (all) => {
      seen.push(...all.map(({ name }) => name));
      await site.context.runSteps(all);
    },
  };
  const ref = uniqueWord('k');
  await createProject(context, site.actor, input(ref));
  expect(seen.splice(0)).toEqual(creationSteps);
  await deleteProject(context, site.actor, ref);
  expect(seen).toEqual(deletionSteps);
});

test('a restart of the server in the middle of a migration fails none of the projects', async () => {
  const refs = Array.from({ length: 5 }, () => uniqueWord('m'));
  for (const ref of refs) await createProject(site.context, site.actor, input(ref));
  const query = (sql: string, values: unknown[] = []) => site.context.dataSource.query(sql, values);
  await query(`update project set migrated_to = 'older'`);
  await planUnfinished(site.context);
  await withinAMinute(async () => {
    const found: unknown[] = await query(
      `select from operation where kind = 'migrate' and attempts > 0`,
    );
    return found.length > 0;
  });
  await site.kill();
  await withinAMinute(isSettled);
  const behind = await query('select ref from project where migrated_to <> $1', [
    site.context.release.hash,
  ]);
  expect(behind).toEqual([]);
  for (const ref of refs) await deleteProject(site.context, site.actor, ref);
}, 180_000);

test('a database whose removal was cut short is dropped without a connection to it', async () => {
  const ref = uniqueWord('k');
  await createProject(site.context, site.actor, input(ref));
  await withClient(site.databaseUrl, (client) =>
    client.query(`update pg_database set datconnlimit = -2 where datname like 'p\\_d%'`),
  );
  const context: ProjectsContext = {
    ...site.context,
    removeObjects: () => Promise.reject(new Error('it connects to the database')),
  };
  await deleteProject(context, site.actor, ref);
  expect(await inventory(site)).toEqual([]);
});

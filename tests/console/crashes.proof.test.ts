// PostgreSQL dies at each step of the creation and of the deletion of a project: everything ends as an active project
// or as none within a minute, and the process of the product is not started again. `CRASH_ROUNDS` is the number of
// rounds, each of which kills the server at one more step.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createProject,
  deleteProject,
  getProjectRecord,
  planUnfinished,
  type ProjectsContext,
} from '#libs/control-plane';

import { type CrashSite, inventory, openCrashSite, withinAMinute } from './crash-fixture.js';
import { asAdmin, uniqueWord } from './control-plane-fixture.js';

const rounds = Number(process.env['CRASH_ROUNDS'] ?? 4);
const whole = Array.from({ length: 6 }, () => 'login');

let site: CrashSite;
beforeAll(async () => {
  site = await openCrashSite();
}, 120_000);
afterAll(async () => {
  await site[Symbol.asyncDispose]();
}, 60_000);

const creation = [
  'reserve the ref',
  'check that the names are free',
  'make the folder',
  'create the roles and the database',
  'grant the rights',
  'activate',
];
const deletion = [
  'remove the objects',
  'drop the database',
  'drop the roles',
  'remove the folder',
  'remove the row',
];
const moments = ['before', 'during', 'after'] as const;

// The steps that change the server come first: a short run meets them.
const cases = [
  { verb: 'delete', step: 'drop the database', moment: 'during' },
  { verb: 'create', step: 'create the roles and the database', moment: 'during' },
  { verb: 'create', step: 'activate', moment: 'after' },
  { verb: 'delete', step: 'drop the roles', moment: 'before' },
  { verb: 'create', step: 'create the roles and the database', moment: 'after' },
  { verb: 'delete', step: 'remove the row', moment: 'after' },
  ...creation.flatMap((step) => moments.map((moment) => ({ verb: 'create', step, moment }))),
  ...deletion.flatMap((step) => moments.map((moment) => ({ verb: 'delete', step, moment }))),
] as const;
const played = Array.from({ length: rounds }, (_, round) => ({
  round: round + 1,
  ...(cases[round % cases.length] ?? cases[0]),
}));

/** A context in which the server is killed at the step `name`. */
function killingAt(name: string, moment: (typeof moments)[number]): ProjectsContext {
  return {
    ...site.context,
    runSteps: (steps) =>
      site.context.runSteps(
        steps.map((step) => ({
          ...step,
          async run() {
            if (step.name !== name) return step.run();
            if (moment === 'before') await site.kill();
            const running = step.run();
            if (moment === 'during') {
              // Some statements of the step have run by then, or all, or none.
              await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
              running.catch(() => undefined);
              await site.kill();
            }
            await running;
            if (moment === 'after') await site.kill();
          },
        })),
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
  'round $round: $verb, killed $moment "$step"',
  async ({ verb, step, moment }) => {
    const ref = uniqueWord('k');
    if (verb === 'delete') await createProject(site.context, site.actor, input(ref));
    const context = killingAt(step, moment);
    const attempt =
      verb === 'create'
        ? createProject(context, site.actor, input(ref))
        : deleteProject(context, site.actor, ref);
    await attempt.catch(() => undefined); // A crash after the last statement fails no statement.
    await withinAMinute(isSettled);
    const record = await getProjectRecord(site.context, ref);
    if (verb === 'delete') expect(record).toBeUndefined();
    // The ref is free, or the project is there.
    if (record === undefined) await createProject(site.context, site.actor, input(ref));
    await deleteProject(site.context, site.actor, ref);
    expect(await inventory(site)).toEqual([]);
  },
  180_000,
);

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
  await asAdmin(site.databaseUrl, (client) =>
    client.query(`update pg_database set datconnlimit = -2 where datname like 'p\\_d%'`),
  );
  const context: ProjectsContext = {
    ...site.context,
    removeObjects: () => Promise.reject(new Error('it connects to the database')),
  };
  await deleteProject(context, site.actor, ref);
  expect(await inventory(site)).toEqual([]);
});

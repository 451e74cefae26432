// A superuser upgrades, dumps and sweeps the database of a project whose owner has planted code there. It calls none of
// it, and a project beside it stays as it was.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { getProjectRecord, upgradeProject } from '#libs/control-plane';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pino } from 'pino';

import { parseEnv } from '../../bin/env.js';
import { workerDeployment } from '../../bin/worker-deployment.js';
import { withProjectDatabase } from '#libs/database';
import { findDue, sweepProject } from '#apps/worker';
import { namesOf } from '../../libs/control-plane/src/provisioning/names.js';
import { dueWork, nothingDue } from '../start/due-work.js';
import { type Dump, dumpOf } from '../support/database-dump.js';
import {
  hurriedMigration,
  listCalls,
  listSuperusers,
  overloads,
  runAsOwner,
  traps,
} from '../support/hostile-owner.js';
import { asSuperuser, testDatabaseUrl } from '../support/deployment.js';
import { describeDumps } from '../support/postgres-programs.js';
import { laterContext, projectWithNotes } from '../upgrade/upgrade-fixture.js';
import { type ControlPlaneFixture, databaseIdOf, openFixture } from './control-plane-fixture.js';

const run = promisify(execFile);

let fixture: ControlPlaneFixture;
let victim: string;
let hostile: string;
let ref: string;
let before: { readonly rows: Dump; readonly superusers: unknown };

beforeAll(async () => {
  fixture = await openFixture();
  victim = await databaseOf(await projectWithNotes(fixture));
  ref = await projectWithNotes(fixture);
  hostile = await databaseOf(ref);
  const record = await recordOf(ref);
  const { user, password } = record.database.logins.owner;
  const url = new URL(testDatabaseUrl());
  Object.assign(url, { username: user, password, pathname: `/${hostile}` });
  await runAsOwner(url.href, overloads);
  await runAsOwner(url.href, traps);
  before = { rows: await dumpOf(victim), superusers: await listSuperusers() };
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);
beforeEach(() => sql('truncate public.calls'));

async function databaseOf(of: string): Promise<string> {
  const id = await databaseIdOf(fixture, of);
  if (id === undefined) throw new Error('the project was not made');
  return namesOf(id).database;
}

async function recordOf(of: string) {
  const record = await getProjectRecord(fixture.context, of);
  if (!record) throw new Error('the project was not made');
  return record;
}

/** Runs SQL as the superuser: its names are PostgreSQL's own. */
const sql = (text: string) =>
  asSuperuser(`set search_path = pg_catalog, pg_temp; ${text}`, { database: hostile });

async function expectNothingGained(): Promise<void> {
  expect(await listSuperusers()).toEqual(before.superusers);
  expect(await dumpOf(victim)).toEqual(before.rows);
}

test('code that is run by the owner is noted', async () => {
  const { logins } = (await recordOf(ref)).database;
  await asSuperuser(
    `set role "${logins.owner.user}"; select public.noted('a function', 'x');
    update public.trapped set word = 'y'; select * from public.looked_at;
    refresh materialized view public.kept`,
    { database: hostile },
  );
  const what = (await listCalls(hostile)).map((call) => call['what']);
  expect(what).toEqual(
    expect.arrayContaining(['check of a table', 'generated column', 'index', 'trigger', 'view']),
  );
});

test('an upgrade with a snapshot', async () => {
  const later = laterContext(fixture, hurriedMigration);
  const result = await upgradeProject(later, ref, { withSnapshot: true });
  expect(result).toMatchObject({ outcome: 'upgraded' });
  expect(await listCalls(hostile)).toEqual([]);
  await expectNothingGained();
});

test('a sweep with work of each kind', async () => {
  const record = await recordOf(ref);
  const env = parseEnv({ DATA_DIR: fixture.dataDir });
  const log = pino({ level: 'silent' });
  const signal = new AbortController().signal;
  const deployment = workerDeployment(env);
  const parts = { deployment, projects: fixture.context, log, signal };
  const swept: string[] = [];
  for (const { due } of Object.values(dueWork)) {
    await sql(`${nothingDue}; ${due}`);
    await sql(`insert into public.followers select id from auth."user"`);
    await withProjectDatabase(record, async (db) => {
      swept.push(...(await findDue(deployment, ref, db)));
      await sweepProject(parts, record, db);
    });
  }
  expect(new Set(swept)).toEqual(new Set(Object.keys(dueWork)));
  // A trigger runs as the owner of its table or, before PostgreSQL 18, as a role that only deletes users.
  const calls = await listCalls(hostile);
  expect(new Set(calls.map(({ what }) => what))).toEqual(new Set(['trigger']));
  const callers = [record.database.logins.owner.user, 'platform_deleter'];
  expect(calls.filter(({ who }) => !callers.includes(String(who)))).toEqual([]);
  await expectNothingGained();
}, 60_000);

const name = "line \\! echo break-out ;select public.note('name');--";

(await describeDumps())('a dump of the superuser', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowhouse-dump-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each([
    { name: 'of the schema', args: ['-s'] },
    { name: 'of everything', args: [] },
    { name: 'of everything, as inserts', args: ['--inserts'] },
    { name: 'in the format of an archive', args: ['-Fc'] },
  ])('$name', async ({ args }) => {
    const url = new URL(testDatabaseUrl());
    url.pathname = `/${hostile}`;
    const file = join(folder, `dump${args.join('')}`);
    const { stderr } = await run('pg_dump', ['-d', url.href, '-f', file, ...args]);
    expect(stderr).toBe('');
    const isArchive = args.includes('-Fc');
    if (isArchive) await run('pg_restore', ['-f', `${file}.sql`, file]);
    const text = await readFile(isArchive ? `${file}.sql` : file, 'utf8');
    expect(text).toContain('CREATE TABLE public.trapped');
    // A name is one line of a comment, so that nothing in it is read as a command.
    expect(text).toContain(`-- Name: ${name}; Type: TABLE`);
    expect(await listCalls(hostile)).toEqual([]);
    await expectNothingGained();
  });
});

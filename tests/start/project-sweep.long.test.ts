// The hourly sweep of a project: one statement asks whether anything is due, and it misses no kind of work.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pino } from 'pino';

import { basisOf, findDue, findQuietDays, sweepProject } from '#apps/worker';
import { createProject, getProjectRecord } from '#libs/control-plane';
import { type ProjectDatabase, withProjectDatabase } from '#libs/database';
import type { DueSweep, ProjectRecord } from '#libs/project-runtime';

import { parseEnv } from '../../bin/env.js';
import { storageFolder } from '../../bin/project-address.js';
import { workerDeployment } from '../../bin/worker-deployment.js';
import {
  type ControlPlaneFixture,
  openFixture,
  uniqueWord,
} from '../console/control-plane-fixture.js';
import { asSuperuser } from '../support/deployment.js';
import { besides, dueWork, nothingDue, session, storedSettings, user } from './due-work.js';

let fixture: ControlPlaneFixture;
let record: ProjectRecord;
let env: ReturnType<typeof parseEnv>;
let parts: Parameters<typeof sweepProject>[0];
beforeAll(async () => {
  fixture = await openFixture();
  const { context, actor, organizationId, dataDir } = fixture;
  const ref = uniqueWord('s');
  await createProject(context, actor, { name: 'Shop', ref, organizationId });
  const found = await getProjectRecord(context, ref);
  if (!found) throw new Error('the project was not made');
  record = found;
  env = parseEnv({ DATA_DIR: dataDir });
  const deployment = workerDeployment(env);
  const signal = new AbortController().signal;
  parts = { deployment, projects: context, log: pino({ level: 'silent' }), signal };
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

const sql = (text: string) => asSuperuser(text, { database: record.database.name });

beforeEach(() => sql(nothingDue));

const listDue = () =>
  withProjectDatabase(record, (db) => findDue(parts.deployment, record.ref, db));

test('nothing is due in a new project', async () => {
  expect(await listDue()).toEqual([]);
});

describe.each(Object.entries(dueWork))('%s', (kind, { due, other }) => {
  // Object.entries loses the type of the keys.
  const more = besides[kind as DueSweep] ?? [];

  test('are found when they are due', async () => {
    await sql(due);
    expect(await listDue()).toEqual([kind, ...more]);
  });

  test('are not found before', async () => {
    await sql(other);
    expect(await listDue()).toEqual(more);
  });
});

describe('the settings of the project decide', () => {
  test.each([
    {
      name: 'guests are kept for ever with 0 days',
      rows: storedSettings('auth.methods.anonymous', { keepDays: 0 }) + user(true, '90 days'),
      due: [],
    },
    {
      name: 'guests are kept for the days that are stored',
      rows: storedSettings('auth.methods.anonymous', { keepDays: 7 }) + user(true, '8 days'),
      due: ['guests'],
    },
    {
      name: 'the last session of a guest is kept as long as the guest',
      rows: user(true, '0') + session('20 days'),
      due: [],
    },
    {
      name: 'sessions of guests who are kept for ever go at once',
      rows:
        storedSettings('auth.methods.anonymous', { keepDays: 0 }) +
        user(true, '0') +
        session('1 s'),
      due: ['sessions'],
    },
    {
      name: 'logs of functions are kept for the days that are stored',
      rows: `${storedSettings('functions', { logDays: 30 })} ${dueWork.functionLogs.due}`,
      due: [],
    },
    {
      name: 'a store for new files is searched',
      rows: storedSettings('storage', { driver: 's3' }),
      due: ['objects'],
    },
  ])('$name', async ({ rows, due }) => {
    await sql(rows);
    expect(await listDue()).toEqual(due);
  });
});

/** The database, and the statements that are sent to it. */
function recording(db: ProjectDatabase) {
  const texts: string[] = [];
  const enginePool: ProjectDatabase['enginePool'] = {
    ...db.enginePool,
    async connect() {
      const client = await db.enginePool.connect();
      return new Proxy(client, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            if (name === 'query') texts.push(String(args[0]));
            return Reflect.apply(value, target, args);
          };
        },
      });
    },
  };
  const recorded = new Proxy(db, {
    get(target, name) {
      if (name === 'enginePool') return enginePool;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        texts.push(name === 'queryAsEngine' ? String(args[0]) : String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { texts, recorded };
}

async function sweep() {
  return withProjectDatabase(record, async (db) => {
    const { texts, recorded } = recording(db);
    return { swept: await sweepProject(parts, record, recorded), texts };
  });
}

test('the sweep of an idle project is one statement', async () => {
  const { swept, texts } = await sweep();
  expect(swept).toBeUndefined();
  expect(texts).toHaveLength(1);
});

test('a project where something is due is swept, and is idle afterwards', async () => {
  await sql(dueWork.sessions.due);
  const first = await sweep();
  expect(first.swept).toMatchObject({ sessions: 1 });
  expect(first.texts.length).toBeGreaterThan(10);
  const second = await sweep();
  expect(second.texts).toHaveLength(1);
});

const tablesIn = (text: string) =>
  [
    ...text.matchAll(/\b(?:from|join|update|table) ((?:auth|platform|storage|realtime)\."?\w+)/g),
  ].map(([, table]) => table);
const functionsIn = (text: string) =>
  [...text.matchAll(/\b((?:auth|platform|storage|realtime)\.\w+)\(/g)].map(([, name]) => name);

test('each table that a sweep works on is one that the question reads', async () => {
  await sql(`${dueWork.guests.due}; ${dueWork.files.due}`);
  const { swept, texts } = await sweep();
  expect(swept).toMatchObject({ guests: 1 });
  const [question = '', ...others] = texts;
  const asked = new Set(tablesIn(question));
  const unasked = new Set(others.flatMap(tablesIn).filter((table) => !asked.has(table)));
  expect([...unasked].toSorted()).toEqual([
    // Not swept: the settings.
    'platform.settings_version',
  ]);
  // `uploads`, `gates` and `changes` stand for the functions.
  expect(new Set(others.flatMap(functionsIn))).toEqual(
    new Set([
      'platform.move_hook_deliveries',
      'storage.expire_uploads',
      'realtime.listen',
      'realtime.trim_outbox',
    ]),
  );
});

describe('days without work', () => {
  const quietDays = () =>
    withProjectDatabase(record, (db) => findQuietDays(parts.deployment, record.ref, db));

  test.each([
    { name: 'a new project has seven', rows: '', days: 7 },
    {
      name: 'a session that expires later leaves them',
      rows: user(false, '0') + session('-8 days'),
      days: 7,
    },
    {
      name: 'a session that expires before is work',
      rows: user(false, '0') + session('-6 days'),
      days: undefined,
    },
    { name: 'work that is due is work', rows: dueWork.oldMessages.due, days: undefined },
  ])('$name', async ({ rows, days }) => {
    if (rows !== '') await sql(rows);
    expect(await quietDays()).toBe(days);
  });

  /**
   * Their other rows become due by a change alone: an upload ends, a file is stored elsewhere, an earlier release stores
   * a delivery. The first two become due as `uploads` and `garbage`.
   */
  const notByTime: readonly string[] = ['formerDeliveries', 'files', 'objects'];
  const byTime = Object.entries(dueWork).filter(([kind]) => !notByTime.includes(kind));
  test.each(byTime)(
    '%s that become due within seven days end the quiet days',
    async (kind, rows) => {
      await sql(rows.other);
      const due = withProjectDatabase(record, (db) => findDue(parts.deployment, record.ref, db, 7));
      expect(await due).toContain(kind);
      expect(await quietDays()).toBeUndefined();
    },
  );

  test('they are looked for by the statement that finds what is due', async () => {
    const asked = await withProjectDatabase(record, async (db) => {
      const { texts, recorded } = recording(db);
      await findDue(parts.deployment, record.ref, recorded);
      await findQuietDays(parts.deployment, record.ref, recorded);
      return texts;
    });
    expect(asked).toEqual([asked[0], asked[0]]);
  });
});

test('what decides besides the rows is known, unless there are files', async () => {
  const other = parseEnv({
    DATA_DIR: env.dataDir,
    STORAGE_DRIVER: 's3',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    S3_REGION: 'eu-central-1',
  });
  expect(await basisOf(parts.deployment, record.ref)).toMatch(/^[0-9a-f]{16} /);
  expect(await basisOf(workerDeployment(other), record.ref)).not.toBe(
    await basisOf(parts.deployment, record.ref),
  );
  const path = join(storageFolder(env, record.ref), '.tmp', 'left.part');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'left');
  expect(await basisOf(parts.deployment, record.ref)).toBeUndefined();
  await rm(path);
});

test('a file without any row is no idle project', async () => {
  const path = join(storageFolder(env, record.ref), '.tmp', 'left.part');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'left');
  expect((await sweep()).swept).toBeDefined();
});

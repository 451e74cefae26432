// The hourly sweep of a project: one statement asks whether anything is due, and it misses no kind of work.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pino } from 'pino';

import { createProject, getProjectRecord } from '#libs/control-plane';
import type { ProjectDatabase } from '#libs/database';
import type { DueSweep, ProjectRecord } from '#libs/project-runtime';

import { parseEnv } from '../../bin/env.js';
import { withProjectDatabase } from '../../bin/project-access.js';
import { storageFolder } from '../../bin/project-address.js';
import { findDue, sweepProject, type SweepParts } from '../../bin/project-sweep.js';
import {
  type ControlPlaneFixture,
  openFixture,
  uniqueWord,
} from '../console/control-plane-fixture.js';
import { asSuperuser } from '../support/house.js';

let fixture: ControlPlaneFixture;
let record: ProjectRecord;
let parts: SweepParts;
beforeAll(async () => {
  fixture = await openFixture();
  const { context, actor, organizationId, dataDir } = fixture;
  const ref = uniqueWord('s');
  await createProject(context, actor, { name: 'Shop', ref, organizationId });
  const found = await getProjectRecord(context, ref);
  if (!found) throw new Error('the project was not made');
  record = found;
  const env = parseEnv({ DATA_DIR: dataDir });
  const signal = new AbortController().signal;
  parts = { env, projects: context, log: pino({ level: 'silent' }), signal };
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

const sql = (text: string) => asSuperuser(text, { database: record.database.name });

beforeEach(() =>
  sql(`
    truncate auth."user", auth.verification, auth.rate_limit, auth.user_deletion, platform.hook_deliveries,
      platform.messages, platform.app_settings, storage.buckets, storage.uploads, storage.garbage,
      storage.relocations cascade;
    insert into storage.buckets (slug, name) values ('docs', 'Docs')`),
);

const listDue = () => withProjectDatabase(record, (db) => findDue(parts.env, record.ref, db));

const user = (isGuest: boolean, ago: string) =>
  `insert into auth."user" (id, name, email, "isAnonymous", "updatedAt")
   values ('u', 'U', 'u@test.example', ${isGuest}, now() - interval '${ago}');`;
const session = (ago: string) =>
  `insert into auth.session (id, "expiresAt", "tokenHash", "userId")
   values ('s', now() - interval '${ago}', sha256('token'), 'u');`;
const delivery = (status: string, created: string, next: string) =>
  `insert into platform.hook_deliveries (hook, event_id, target, status, payload, created_at, next_attempt_at)
   values ('events', 'e', 't', '${status}', '{}', now() - interval '${created}', now() - interval '${next}')`;
const message = (status: string, ages: { created?: string; next?: string; expired?: string }) =>
  `insert into platform.messages
     (id, channel, kind, recipient, sealed_values, status, created_at, next_try_at, expires_at)
   values (gen_random_uuid(), 'email', 'test', 'r', 'v1.x.y', '${status}',
     now() - interval '${ages.created ?? '1 day'}', now() - ${quoted(ages.next)}::interval,
     now() - ${quoted(ages.expired)}::interval)`;
const quoted = (text: string | undefined) => (text === undefined ? 'null' : `'${text}'`);
const outbox = (status: string, { next = '0', ended = '0', isActive = true }) =>
  `with webhook as (
     insert into storage.webhooks (bucket, url, secret, active)
     values ('docs', 'http://127.0.0.1:9/', 'not sealed', ${isActive}) returning id)
   insert into storage.webhook_outbox (webhook_id, event, payload, status, next_attempt_at, ended_at)
   select id, 'uploaded', '{}', '${status}', now() - interval '${next}', now() - interval '${ended}'
   from webhook`;
const garbage = (driver: string, ago: string) =>
  `insert into storage.garbage (driver, version, bucket, stored_key, not_before)
   values ('${driver}', gen_random_uuid(), 'docs', 'k', now() - interval '${ago}')`;
const uploadId = '00000000-0000-7000-8000-000000000002';
const upload = (ago: string) =>
  `select storage.reserve_upload('${uploadId}', 'docs', 'k', gen_random_uuid(), 'local', 'stream', 1, 'text/plain',
     'private', null, true, now() - interval '${ago}');`;
const relocation = (ago: string) =>
  `insert into storage.relocations (state, from_driver, to_driver, total_files, total_bytes, leased_until)
   values ('running', 'local', 's3', 0, 0, now() - interval '${ago}')`;
const emptying = (ago: string) =>
  `insert into storage.emptyings (bucket, state, until, total_files, leased_until)
   values ('docs', 'running', now(), 0, now() - interval '${ago}')`;
const stored = (group: string, value: object) =>
  `insert into platform.app_settings (name, value) values ('${group}', '${JSON.stringify(value)}');`;

/** Of each kind rows that are due, and rows like them that are not, or that another kind alone is due for. */
const kinds: Readonly<Record<DueSweep, { readonly due: string; readonly other: string }>> = {
  guests: { due: user(true, '31 days'), other: user(true, '29 days') },
  userDeletions: {
    due: `insert into auth.user_deletion values ('u', null, null, null, now() - interval '61 minutes')`,
    other: `insert into auth.user_deletion values ('u', null, null, null, now() - interval '59 minutes')`,
  },
  sessions: { due: user(false, '0') + session('1 s'), other: user(false, '0') + session('-1 h') },
  verifications: {
    due: `insert into auth.verification values ('v', 'i', 'x', now() - interval '1 s')`,
    other: `insert into auth.verification values ('v', 'i', 'x', now() + interval '1 h')`,
  },
  rateLimits: {
    due: `insert into auth.rate_limit (key, uses, ends_at) values ('k', 1, now() - interval '1 s')`,
    other: `insert into auth.rate_limit (key, uses, ends_at) values ('k', 1, now() + interval '1 h')`,
  },
  oldDeliveries: {
    due: delivery('succeeded', '15 days', '15 days'),
    other: delivery('succeeded', '13 days', '13 days'),
  },
  events: { due: delivery('pending', '1 h', '1 s'), other: delivery('pending', '1 h', '-1 h') },
  oldMessages: {
    due: message('sent', { created: '15 days' }),
    other: message('sent', { created: '13 days' }),
  },
  worthlessValues: {
    due: message('failed', { expired: '1 s' }),
    other: message('failed', { expired: '-1 h' }),
  },
  overdueMessages: {
    due: message('queued', { next: '11 minutes' }),
    other: message('queued', { next: '9 minutes' }),
  },
  webhooks: {
    due: outbox('pending', { next: '1 s' }),
    other: outbox('pending', { next: '1 s', isActive: false }),
  },
  endedWebhooks: {
    due: outbox('succeeded', { ended: '15 days' }),
    other: outbox('succeeded', { ended: '13 days' }),
  },
  garbage: { due: garbage('local', '1 s'), other: garbage('local', '-1 h') },
  uploads: { due: upload('1 s'), other: upload('-1 h') },
  relocation: { due: relocation('1 s'), other: relocation('-1 h') },
  emptying: { due: emptying('1 s'), other: emptying('-1 h') },
  files: {
    due: `${upload('-1 h')} select storage.commit_upload('${uploadId}', 1)`,
    other: upload('-1 h'),
  },
  objects: { due: garbage('s3', '-1 h'), other: garbage('local', '-1 h') },
};
/** The rows of a move say that blobs may be in the store, too. */
const besides: Partial<Record<DueSweep, readonly DueSweep[]>> = { relocation: ['objects'] };

test('nothing is due in a new project', async () => {
  expect(await listDue()).toEqual([]);
});

describe.each(Object.entries(kinds))('%s', (kind, { due, other }) => {
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
      rows: stored('auth.methods.anonymous', { keepDays: 0 }) + user(true, '90 days'),
      due: [],
    },
    {
      name: 'guests are kept for the days that are stored',
      rows: stored('auth.methods.anonymous', { keepDays: 7 }) + user(true, '8 days'),
      due: ['guests'],
    },
    {
      name: 'the last session of a guest is kept as long as the guest',
      rows: user(true, '0') + session('20 days'),
      due: [],
    },
    {
      name: 'sessions of guests who are kept for ever go at once',
      rows: stored('auth.methods.anonymous', { keepDays: 0 }) + user(true, '0') + session('1 s'),
      due: ['sessions'],
    },
    {
      name: 'a store for new files is searched',
      rows: stored('storage', { driver: 's3' }),
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
  await sql(kinds.sessions.due);
  const first = await sweep();
  expect(first.swept).toMatchObject({ sessions: 1 });
  expect(first.texts.length).toBeGreaterThan(10);
  const second = await sweep();
  expect(second.texts).toHaveLength(1);
});

const tablesIn = (text: string) =>
  [...text.matchAll(/\b(?:from|join|update|table) ((?:auth|platform|storage)\."?\w+)/g)].map(
    ([, table]) => table,
  );
const functionsIn = (text: string) =>
  [...text.matchAll(/\b((?:auth|platform|storage)\.\w+)\(/g)].map(([, name]) => name);

test('each table that a sweep works on is one that the question reads', async () => {
  await sql(`${kinds.guests.due}; ${kinds.webhooks.due}; ${kinds.files.due}`);
  const { swept, texts } = await sweep();
  expect(swept).toMatchObject({ guests: 1 });
  const [question = '', ...others] = texts;
  const asked = new Set(tablesIn(question));
  const unasked = new Set(others.flatMap(tablesIn).filter((table) => !asked.has(table)));
  expect([...unasked].toSorted()).toEqual([
    // Not swept: the settings.
    'platform.settings_version',
  ]);
  // `uploads` stands for the function.
  expect(new Set(others.flatMap(functionsIn))).toEqual(new Set(['storage.expire_uploads']));
});

test('a file without any row is no idle project', async () => {
  const path = join(storageFolder(parts.env, record.ref), '.tmp', 'left.part');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'left');
  expect((await sweep()).swept).toBeDefined();
});

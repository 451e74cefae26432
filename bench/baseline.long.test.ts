import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from 'pg';
import { bindVariables, statementsOf, type BaselineWork } from './baseline.js';
import type { CaseName } from './case.js';
import { CASES, caseOf } from './cases.js';
import { Cleanup } from './cleanup.js';
import {
  createBaselineLogin,
  createPolicyPeerLogin,
  createTrustedPeerLogin,
  dropLogin,
  type Login,
} from './database/baseline-login.js';
import { forgetSignIns, insertPasswords, SESSIONS } from './database/accounts.js';
import { openClient, urlOfLogin } from './database/connection.js';
import { COUNT_WRITTEN_SQL, forgetWrites } from './database/tables.js';
import { readEnv } from './env.js';
import { ownClientBaseline } from './own-client.js';
import { findPgbench, pgbenchBaseline } from './pgbench.js';
import { openSite, type Site } from './site.js';
import { faultIn } from './verify.js';

const cleanup = new Cleanup();
let site: Site;
let login: Login;
let api: Client;

beforeAll(async () => {
  const databaseUrl = process.env['TEST_DATABASE_URL'];
  site = await openSite({ databaseUrl, withoutProduct: true }, cleanup);
  login = cleanup.keep(await createBaselineLogin(site.client), (made) =>
    dropLogin(site.client, made),
  );
  api = cleanup.keep(await openClient(urlOfLogin(site.address, login)), (client) => client.end());
});

afterAll(() => cleanup.close());

function workOf(name: CaseName, caller: BaselineWork['caller'] = 'live lookup'): BaselineWork {
  return { measured: caseOf(name), travel: 'pipelined', caller };
}

/** Runs one transaction as a baseline does and gives what its statements answered. */
async function runOnce(
  work: BaselineWork,
  how: { readonly session: string; readonly ends?: 'commit' },
): Promise<string[]> {
  const values = { session: how.session, n: '5', body: work.measured.body ?? '' };
  await api.query('begin');
  try {
    const answers: string[] = [];
    for (const statement of statementsOf(work)) {
      const { text, values: bound } = bindVariables(statement, values);
      const { rows } = await api.query<unknown[]>({ text, values: [...bound], rowMode: 'array' });
      answers.push(String(rows[0]?.[0]));
    }
    if (how.ends === 'commit') await api.query('commit');
    return answers.slice(1);
  } finally {
    await api.query('rollback');
  }
}

async function countRows(): Promise<number> {
  const { rows } = await site.client.query<{ rows: string }>(COUNT_WRITTEN_SQL);
  return Number(rows[0]?.rows);
}

describe('the work of the baseline', () => {
  test.each(CASES.filter(({ isRead }) => isRead))(
    '$name gives a session what a right answer holds',
    async ({ name, evidence }) => {
      const answers = await runOnce(workOf(name), { session: '7' });
      // A count is told by the mark in front of it, as in Content-Range.
      expect(faultIn(answers.join('/'), evidence)).toBeUndefined();
    },
  );

  test.each(CASES.filter(({ isRead }) => !isRead))(
    '$name writes $rowsWritten rows, which can be forgotten',
    async ({ name, rowsWritten }) => {
      const before = await countRows();
      await runOnce(workOf(name), { session: '7', ends: 'commit' });
      expect((await countRows()) - before).toBe(rowsWritten);
      await forgetWrites(site.client);
      expect(await countRows()).toBe(before);
    },
  );

  test('a list row is near the size that the demands were set with', async () => {
    const [text = ''] = await runOnce(workOf('list1000'), { session: '7' });
    expect(text.length / 1000).toBeGreaterThan(150);
    expect(text.length / 1000).toBeLessThan(230);
  });

  test('a token that is nobody´s sees no rows and may not write', async () => {
    expect(await runOnce(workOf('single'), { session: '0' })).toEqual(['[]']);
    for (const name of ['insert', 'bulk', 'upsert', 'batch'] as const) {
      await expect(runOnce(workOf(name), { session: '0' })).rejects.toThrow(/row-level security/);
    }
  });

  test('claims without a lookup see the same rows', async () => {
    const [text = ''] = await runOnce(workOf('single', 'claims only'), { session: '7' });
    expect(JSON.parse(text)).toHaveLength(1);
  });

  test('the login itself reads nothing', async () => {
    await expect(api.query('select from public.posts')).rejects.toThrow(/permission denied/);
  });

  test.each([
    { name: 'trusted peer reads and writes past every policy', create: createTrustedPeerLogin },
    { name: 'policy peer sees nothing as itself', create: createPolicyPeerLogin },
  ])('the login of a $name', async ({ create }) => {
    const login = await create(site.client);
    const peer = await openClient(urlOfLogin(site.address, login));
    const { rowCount } = await peer.query('select from posts where id <= 3');
    const insert = peer.query(`insert into posts (author_id, title, body) values (1, 'a', 'b')`);
    const written = await insert.then(
      () => true,
      () => false,
    );
    await peer.end();
    await dropLogin(site.client, login);
    await forgetWrites(site.client);
    const isTrusted = create === createTrustedPeerLogin;
    expect({ rowCount, written }).toEqual({ rowCount: isTrusted ? 3 : 0, written: isTrusted });
  });
});

test('sign-ins are forgotten, the sessions of the run and the passwords stay', async () => {
  const read = async (): Promise<unknown> => {
    const { rows } = await site.client.query(
      `select (select count(*)::integer from auth.session) as sessions,
              (select count(password)::integer from auth.account) as passwords`,
    );
    return rows[0];
  };
  await insertPasswords(site.client, 'hash', 3);
  await site.client.query(
    `insert into auth.session (id, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt")
      values ('made', sha256('made'), 'bench_user_1', now() + interval '1 day', now(), now())`,
  );
  expect(await read()).toEqual({ sessions: SESSIONS + 1, passwords: 3 });
  await forgetSignIns(site.client);
  expect(await read()).toEqual({ sessions: SESSIONS, passwords: 3 });
});

describe('pgbench', () => {
  test.each([
    { travel: 'pipelined', caller: 'live lookup' },
    { travel: 'pipelined', caller: 'claims only' },
    { travel: 'serial', caller: 'live lookup' },
  ] as const)('gives a rate for $travel, $caller, where it is installed', async (how) => {
    const file = await findPgbench(readEnv().searchPath);
    if (file === undefined) return;
    const baseline = pgbenchBaseline(file, { ...site.address, ...login });
    const work = { ...workOf('single'), ...how };
    const perSecond = await baseline.measure(work, { clients: 2, seconds: 1 });
    expect(perSecond).toBeGreaterThan(100);
  });

  test.each(['bulk', 'batch', 'upsert'] as const)(
    'writes as many rows as %s says',
    async (name) => {
      const file = await findPgbench(readEnv().searchPath);
      if (file === undefined) return;
      const before = await countRows();
      const baseline = pgbenchBaseline(file, { ...site.address, ...login });
      expect(await baseline.measure(workOf(name), { clients: 1, seconds: 1 })).toBeGreaterThan(0);
      const written = (await countRows()) - before;
      const { rowsWritten } = caseOf(name);
      expect(rowsWritten === 0 ? written : written % rowsWritten).toBe(0);
      expect(written > 0).toBe(rowsWritten > 0);
      await forgetWrites(site.client);
    },
  );

  test('a transaction that fails is no rate', async () => {
    const file = await findPgbench(readEnv().searchPath);
    if (file === undefined) return;
    const baseline = pgbenchBaseline(file, { ...site.address, ...login });
    const work = workOf('single');
    const broken = { ...work, measured: { ...work.measured, statements: ['select 1 / 0'] } };
    await expect(baseline.measure(broken, { clients: 1, seconds: 1 })).rejects.toThrow(/pgbench/);
  });
});

describe('the own client', () => {
  test.each(['single', 'bulk', 'batch'] as const)('gives a rate for %s', async (name) => {
    const baseline = ownClientBaseline({ ...site.address, ...login });
    const perSecond = await baseline.measure(workOf(name), { clients: 2, seconds: 1 });
    await forgetWrites(site.client);
    expect(perSecond).toBeGreaterThan(1);
  });

  test('says which work it cannot do', () => {
    const baseline = ownClientBaseline({ ...site.address, ...login });
    expect(baseline.measures(workOf('single'))).toBe(true);
    expect(baseline.measures(workOf('single', 'claims only'))).toBe(false);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { statementsOf, type BaselineWork } from './baseline.js';
import { CASES } from './cases.js';
import { Cleanup } from './cleanup.js';
import {
  createBaselineLogin,
  createPeerLogin,
  dropLogin,
  type Login,
} from './database/baseline-login.js';
import { openClient, urlOfLogin } from './database/connection.js';
import { FORGET_INSERTS_SQL } from './database/tables.js';
import { readEnv } from './env.js';
import { ownClientBaseline } from './own-client.js';
import { findPgbench, pgbenchBaseline } from './pgbench.js';
import { openSite, type Site } from './site.js';

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

function workOf(name: string, caller: BaselineWork['caller'] = 'live lookup'): BaselineWork {
  const measured = CASES.find((candidate) => candidate.name === name);
  if (measured === undefined) throw new Error(`There is no case ${name}`);
  return { measured, travel: 'pipelined', caller };
}

/** Runs one transaction as a baseline does and gives the first column of its query. */
async function runOnce(work: BaselineWork, session: string): Promise<unknown> {
  await api.query('begin');
  try {
    let last: unknown;
    for (const statement of statementsOf(work)) {
      const sql = statement.replaceAll(':session', `'${session}'`).replaceAll(':n', '5');
      const { rows } = await api.query<unknown[]>({ text: sql, rowMode: 'array' });
      last = rows[0]?.[0];
    }
    return last;
  } finally {
    await api.query('rollback');
  }
}

describe('the work of the baseline', () => {
  test.each(CASES.filter(({ isRead }) => isRead))(
    '$name gives its rows to a session',
    async (read) => {
      const text = await runOnce(workOf(read.name), '7');
      expect(JSON.parse(String(text))).toHaveLength(read.rows);
    },
  );

  test('a list row is near the size that the demands were set with', async () => {
    const text = String(await runOnce(workOf('list1000'), '7'));
    expect(text.length / 1000).toBeGreaterThan(150);
    expect(text.length / 1000).toBeLessThan(230);
  });

  test('a token that is nobody´s sees no rows and may not write', async () => {
    expect(await runOnce(workOf('single'), '0')).toBe('[]');
    await expect(runOnce(workOf('insert'), '0')).rejects.toThrow(/row-level security/);
  });

  test('claims without a lookup see the same rows', async () => {
    const text = await runOnce(workOf('single', 'claims only'), '7');
    expect(JSON.parse(String(text))).toHaveLength(1);
  });

  test('the login itself reads nothing', async () => {
    await expect(api.query('select from public.posts')).rejects.toThrow(/permission denied/);
  });

  test('the peer´s login reads and writes past every policy, and the rows can be forgotten', async () => {
    const peerLogin = await createPeerLogin(site.client);
    const peer = await openClient(urlOfLogin(site.address, peerLogin));
    await peer.query(`insert into posts (author_id, title, body) values (1, 'a', 'b')`);
    const { rowCount } = await peer.query('select from posts where id > 100000');
    await peer.end();
    await dropLogin(site.client, peerLogin);
    expect(rowCount).toBe(1);
    expect((await site.client.query(FORGET_INSERTS_SQL)).rowCount).toBe(1);
  });
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

  test('a transaction that fails is no rate', async () => {
    const file = await findPgbench(readEnv().searchPath);
    if (file === undefined) return;
    const baseline = pgbenchBaseline(file, { ...site.address, ...login });
    const work = workOf('single');
    const broken = { ...work, measured: { ...work.measured, sql: 'select 1 / 0' } };
    await expect(baseline.measure(broken, { clients: 1, seconds: 1 })).rejects.toThrow(/pgbench/);
  });
});

describe('the own client', () => {
  test.each(['single', 'insert'])('gives a rate for %s', async (name) => {
    const baseline = ownClientBaseline({ ...site.address, ...login });
    const perSecond = await baseline.measure(workOf(name), { clients: 4, seconds: 1 });
    await site.client.query(FORGET_INSERTS_SQL);
    expect(perSecond).toBeGreaterThan(100);
  });

  test('says which work it cannot do', () => {
    const baseline = ownClientBaseline({ ...site.address, ...login });
    expect(baseline.measures(workOf('single'))).toBe(true);
    expect(baseline.measures(workOf('single', 'claims only'))).toBe(false);
  });
});

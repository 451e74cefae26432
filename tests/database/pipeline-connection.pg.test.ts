import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { waitFor } from '#libs/testing';
import { openSocket, type ConnectionPlan } from '../../libs/database/src/connect.js';
import type { Statement } from '../../libs/database/src/in-flight-batch.js';
import { PipelineConnection } from '../../libs/database/src/pipeline-connection.js';
import { testDatabaseUrl } from '../support/deployment.js';
import { addressOf } from '../support/server-address.js';
import { createProject, type ProjectFixture } from './project-fixture.js';

const limits = {
  maxStatements: 5,
  maxResultBytes: 1_000_000,
  statementTimeoutMs: 10_000,
  replyGraceMs: 0,
};

let project: ProjectFixture;
const opened: PipelineConnection[] = [];
beforeAll(async () => {
  project = await createProject();
  await project.admin.query('create table public.log (n int unique deferrable initially deferred)');
  await openToAll('log');
});
afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.close()));
  await project.drop();
});

/** Policies are not what these tests are about. */
async function openToAll(table: string): Promise<void> {
  await project.admin.query(`alter table public.${table} disable row level security`);
  await project.admin.query(`grant all on public.${table} to public`);
}

function planFor(proxyPort?: number): ConnectionPlan {
  const { database, logins } = project.options;
  const { host, port } =
    proxyPort === undefined ? project.options : { host: '127.0.0.1', port: proxyPort };
  return {
    address: { host, port, database },
    login: logins.api,
    applicationName: 'pipeline test',
    searchPath: ['public'],
    statementTimeoutMs: 5_000,
    connectTimeoutMs: 5_000,
  };
}

async function open(
  settings: Partial<typeof limits> & { port?: number; onLost?: () => void } = {},
): Promise<PipelineConnection> {
  const plan = planFor(settings.port);
  const connection = new PipelineConnection(await openSocket(plan), {
    address: plan.address,
    onLost: () => undefined,
    ...limits,
    ...settings,
  });
  opened.push(connection);
  return connection;
}

/** A statement whose name is its text. */
function sql(text: string, ...values: (string | null)[]): Statement {
  return { name: text.slice(0, 60), text, values };
}

async function firstTexts(connection: PipelineConnection, ...statements: Statement[]) {
  const { results } = await connection.run({ statements });
  return results.map(({ rows }) => rows.texts(0));
}

async function logged(): Promise<number[]> {
  const { rows } = await project.admin.query<{ n: number }>('select n from public.log order by n');
  return rows.map(({ n }) => n);
}

describe('a batch is one transaction', () => {
  test('settings of the transaction last for the batch and are gone after it', async () => {
    const connection = await open();
    const role = sql(`select set_config('role', 'anon', true)`);
    const who = sql('select current_user');
    expect(await firstTexts(connection, role, who)).toEqual([['anon'], ['anon']]);
    expect(await firstTexts(connection, who)).toEqual([[project.options.logins.api.user]]);
  });

  test('an error undoes what was before it and skips what comes after', async () => {
    const connection = await open();
    const statements = [
      sql('insert into public.log values ($1)', '1'),
      sql('select 1 / $1::int', '0'),
      sql('insert into public.log values ($1)', '2'),
    ];
    await expect(connection.run({ statements })).rejects.toMatchObject({
      code: '22012',
      status: 400,
      cause: { code: '22012' },
    });
    expect(await logged()).toEqual([]);
    expect(await firstTexts(connection, sql('select 1'))).toEqual([['1']]);
  });

  test('an error of the commit itself is an error of the batch', async () => {
    const connection = await open();
    const insert = sql('insert into public.log values ($1)', '7');
    await expect(connection.run({ statements: [insert, insert] })).rejects.toMatchObject({
      code: '23505',
      status: 409,
    });
    expect(await logged()).toEqual([]);
  });

  test('a batch that failed is not run again', async () => {
    const connection = await open();
    await project.admin.query(
      'create sequence public.runs; grant all on sequence public.runs to public',
    );
    const statements = [sql(`select nextval('public.runs')`), sql('select 1 / $1::int', '0')];
    await expect(connection.run({ statements })).rejects.toMatchObject({ code: '22012' });
    const next = sql(`select nextval('public.runs')`);
    expect(await firstTexts(connection, next)).toEqual([['2']]);
  });

  test('the number of rows comes from the command tag', async () => {
    const connection = await open();
    const { results } = await connection.run({
      statements: [
        sql('insert into public.log select generate_series(100, 111)'),
        sql('select 1 where false'),
        sql('delete from public.log where n >= 100'),
        sql(''),
      ],
    });
    expect(results.map(({ affected }) => affected)).toEqual([12, 0, 12, 0]);
  });

  test('a transaction may span batches of a connection', async () => {
    const connection = await open();
    const run = (...statements: Statement[]) => connection.run({ statements, isPart: true });
    await run(sql('begin'), sql('insert into public.log values ($1)', '50'));
    expect(await logged()).toEqual([]);
    await run(sql('rollback'));
    await run(sql('begin'), sql('insert into public.log values ($1)', '51'));
    await run(sql('commit'));
    expect(await logged()).toEqual([51]);
    await project.admin.query('truncate public.log');
  });
});

describe('several batches on the way', () => {
  test('answers come in order, each to its own batch, errors included', async () => {
    const connection = await open();
    const one = sql('select $1::int / $2::int, repeat($3, 3000)');
    const runs = Array.from({ length: 200 }, async (_, n) => {
      const values = [String(n * 3), n % 10 === 9 ? '0' : '3', String(n % 10)];
      const { results } = await connection.run({ statements: [{ ...one, values }] });
      return results[0]?.rows.texts(0);
    });
    const settled = await Promise.allSettled(runs);
    for (const [n, outcome] of settled.entries()) {
      if (n % 10 === 9) expect(outcome).toMatchObject({ reason: { code: '22012' } });
      else expect(outcome).toMatchObject({ value: [String(n), String(n % 10).repeat(3000)] });
    }
  });

  test('a statement that cannot be prepared fails all that use it, and nothing else', async () => {
    const connection = await open();
    const wrong = sql('select no_such_column');
    const runs = await Promise.allSettled([
      connection.run({ statements: [sql('select 1'), wrong] }),
      connection.run({ statements: [wrong] }),
      connection.run({ statements: [sql('select 1')] }),
    ]);
    expect(runs).toMatchObject([
      { reason: { code: '42703' } },
      { reason: { code: '42703' } },
      { status: 'fulfilled' },
    ]);
  });

  test('a failure in front does not make the preparation behind it be skipped', async () => {
    const connection = await open();
    const fails = sql('select 1 / 0 as zero');
    const later = sql('select 2 as later');
    const runs = await Promise.allSettled([
      connection.run({ statements: [fails, later] }),
      connection.run({ statements: [later] }),
    ]);
    expect(runs).toMatchObject([{ reason: { code: '22012' } }, { status: 'fulfilled' }]);
  });
});

describe('prepared statements', () => {
  test('are bounded on the server as well', async () => {
    const connection = await open();
    for (let n = 0; n < 20; n++) {
      expect(await firstTexts(connection, sql(`select ${n} as bounded`))).toEqual([[String(n)]]);
    }
    await project.admin.query(
      `grant select on pg_prepared_statements to ${project.options.logins.api.user};
      grant execute on function pg_prepared_statement to ${project.options.logins.api.user}`,
    );
    const count = sql('select count(*) from pg_prepared_statements');
    expect(await firstTexts(connection, count)).toEqual([['5']]);
    expect(connection.preparedCount).toBe(5);
  });

  test('that the server lost are prepared again without anybody noticing', async () => {
    const connection = await open();
    const one = sql('select 1 as lost');
    await firstTexts(connection, one);
    await firstTexts(connection, sql('deallocate all'));
    const results = await Promise.all([firstTexts(connection, one), firstTexts(connection, one)]);
    expect(results).toEqual([[['1']], [['1']]]);
  });

  test('that a changed table outdated are prepared again', async () => {
    const connection = await open();
    await project.admin.query('create table public.moving (a int)');
    await openToAll('moving');
    const all = sql('select * from public.moving');
    await project.admin.query('insert into public.moving values (1)');
    expect(await firstTexts(connection, all)).toEqual([['1']]);
    await project.admin.query('alter table public.moving add column b int default 2');
    expect(await firstTexts(connection, all)).toEqual([['1', '2']]);
  });
});

describe('the end of a connection', () => {
  test('by the server rejects every batch on the way and is reported once', async () => {
    let lost = 0;
    const connection = await open({ onLost: () => lost++ });
    const runs = [sql('select pg_sleep(20)'), sql('select 1')].map((statement) =>
      connection.run({ statements: [statement] }),
    );
    const outcomes = Promise.allSettled(runs);
    await waitFor(async () => {
      const { rowCount } = await project.admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query like 'select pg_sleep%'`,
      );
      return rowCount;
    });
    expect(await outcomes).toMatchObject([
      { reason: { code: 'DATABASE_UNAVAILABLE', status: 503 } },
      { reason: { code: 'DATABASE_UNAVAILABLE' } },
    ]);
    expect(lost).toBe(1);
    expect(connection.isOpen).toBe(false);
    await expect(connection.run({ statements: [sql('select 1')] })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
  });

  test('comes when the server stops answering', async () => {
    const { server, port, freeze } = await openProxy();
    const connection = await open({ port, statementTimeoutMs: 50 });
    freeze();
    await expect(connection.run({ statements: [sql('select 1')] })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    expect(connection.isOpen).toBe(false);
    server.close();
  });

  test('does not come while a batch has the time that it asked for', async () => {
    const connection = await open({ statementTimeoutMs: 50 });
    const sleep = sql('select pg_sleep(0.3)::text');
    const { results } = await connection.run({ statements: [sleep], timeoutMs: 4_000 });
    expect(results).toHaveLength(1);
    await expect(connection.run({ statements: [sleep] })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
  });

  test('comes with an answer that is too large', async () => {
    const connection = await open();
    const large = sql('select repeat($1, 1000) from generate_series(1, 2000)', 'x');
    await expect(connection.run({ statements: [large] })).rejects.toMatchObject({
      code: 'RESULT_TOO_LARGE',
      status: 400,
    });
    expect(connection.isOpen).toBe(false);
  });

  test('comes with more notices than anybody would read', async () => {
    await project.admin.query(`create or replace function public.chatter(kilobytes int) returns int
      language plpgsql as $$ begin
        for i in 1..kilobytes loop raise warning '%', repeat('x', 1000); end loop; return 1;
      end $$`);
    const few = await open();
    await few.run({ statements: [sql('select public.chatter(100)::text')] });
    const many = await open();
    await expect(
      many.run({ statements: [sql('select public.chatter(2000)::text')] }),
    ).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  test('comes with COPY, which has no place in a batch', async () => {
    const connection = await open();
    await expect(
      connection.run({ statements: [sql('copy public.log to stdout')] }),
    ).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });
});

describe('cancelling', () => {
  test('ends the statement at once and leaves the connection usable', async () => {
    const connection = await open();
    const abort = new AbortController();
    const statements = [sql('select pg_sleep(20) as cancelled')];
    const running = connection.run({ statements, signal: abort.signal });
    const outcome = expect(running).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    await waitFor(async () => {
      const { rowCount } = await project.admin.query(
        `select from pg_stat_activity where query like '%as cancelled' and state = 'active'
           and pid <> pg_backend_pid()`,
      );
      return rowCount;
    });
    abort.abort();
    await outcome;
    for (let n = 0; n < 50; n++) {
      expect(await firstTexts(connection, sql('select pg_sleep(0.001), 1'))).toEqual([['', '1']]);
    }
  });

  test('that comes too late does not hit the batch behind', async () => {
    const { server, port, delayNew } = await openProxy();
    const connection = await open({ port });
    delayNew(200);
    const abort = new AbortController();
    const signal = abort.signal;
    const first = connection.run({ statements: [sql('select pg_sleep(0.05)')], signal });
    abort.abort();
    await first;
    expect(await firstTexts(connection, sql('select pg_sleep(0.4), 1'))).toEqual([['', '1']]);
    await connection.close();
    server.close();
  });

  test('does not touch a connection that others use', async () => {
    const connection = await open();
    const abort = new AbortController();
    const mine = connection.run({
      statements: [sql('select pg_sleep(0.1)')],
      signal: abort.signal,
    });
    const others = connection.run({ statements: [sql('select pg_sleep(0.1), 2')] });
    abort.abort();
    await expect(Promise.all([mine, others])).resolves.toHaveLength(2);
  });

  test('before the start runs nothing', async () => {
    const connection = await open();
    const statements = [sql('insert into public.log values (99)')];
    await expect(connection.run({ statements, signal: AbortSignal.abort() })).rejects.toMatchObject(
      { code: 'REQUEST_ABORTED' },
    );
    expect(await logged()).not.toContain(99);
  });
});

interface Proxy {
  readonly server: Server;
  readonly port: number;
  /** From now on what the server says is swallowed. */
  readonly freeze: () => void;
  /** From now on new connections reach the server only after this time. */
  readonly delayNew: (ms: number) => void;
}

/** Passes bytes on to the server, and can be slow or silent. */
async function openProxy(): Promise<Proxy> {
  let isFrozen = false;
  let delayMs = 0;
  const server = createServer((inner) => {
    const outer = new Socket();
    const toServer = (): unknown =>
      outer.connect(addressOf(testDatabaseUrl()), () => inner.pipe(outer));
    if (delayMs > 0) setTimeout(toServer, delayMs);
    else toServer();
    outer.on('data', (chunk) => isFrozen || inner.write(chunk));
    for (const socket of [inner, outer]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => (inner.destroy(), outer.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an address object, not a path.
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    freeze: () => void (isFrozen = true),
    delayNew: (ms) => void (delayMs = ms),
  };
}

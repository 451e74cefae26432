// A control plane with a worker on a PostgreSQL of its own, which can be killed at any moment and starts again by
// itself. The process of the test stays.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import {
  openControlPlane,
  createOrganization,
  projectsContext,
  type ControlPlane,
  type ProjectsContext,
} from '#libs/control-plane';
import { openEmbeddedPostgres } from '#libs/postgres-server';
import { waitFor } from '#libs/testing';
import { pino } from 'pino';

import { startTestWorker } from '../support/test-worker.js';
import { withClient } from '../support/test-server.js';
import { insertOperator } from './control-plane-fixture.js';

export interface CrashSite extends AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly context: ProjectsContext;
  readonly actor: Awaited<ReturnType<typeof insertOperator>>;
  readonly organizationId: string;
  /** Of the superuser. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Ends PostgreSQL with SIGKILL; its supervisor starts it again. Returns the process that was killed. */
  kill(): Promise<number>;
  /** The process of PostgreSQL. Throws when there is none. */
  postmaster(): Promise<number>;
}

export async function openCrashSite(): Promise<CrashSite> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'rowhouse-crash-'));
  await chmod(dataDir, 0o711);
  const quiet = (): void => undefined;
  const postgres = await openEmbeddedPostgres({
    dataDir,
    ephemeral: true,
    // A commit that was answered outlives a kill, as in a deployment.
    settings: { synchronous_commit: 'on' },
    log: { info: quiet, warn: quiet, error: quiet },
  });
  const databaseUrl = postgres.url;
  const databaseName = 'control';
  const options = {
    databaseUrl,
    databaseName,
    dataDir,
    masterKey: randomBytes(32),
    reservedRefs: [],
  };
  const controlPlane = await openControlPlane(options);
  const context = projectsContext(controlPlane, async () => undefined);
  const url = new URL(databaseUrl);
  url.pathname = `/${databaseName}`;
  const stopWorker = await startTestWorker({
    dataDir,
    projects: context,
    jobStore: { kind: 'postgres', url: url.href },
    log: pino({ level: process.env['CRASH_LOG'] ?? 'silent' }),
  });
  const actor = await insertOperator(controlPlane, 'owner@test.example');
  const organizationId = await createOrganization(controlPlane.dataSource.manager, actor, {
    name: 'Test',
    ownerId: actor.operatorId,
  });
  const postmaster = async (): Promise<number> => {
    const file = path.join(dataDir, 'postgres/data/postmaster.pid');
    return Number((await readFile(file, 'utf8')).split('\n')[0]);
  };
  return {
    controlPlane,
    context,
    actor,
    organizationId,
    databaseUrl,
    dataDir,
    postmaster,
    async kill() {
      const pid = await postmaster();
      process.kill(pid, 'SIGKILL');
      return pid;
    },
    async [Symbol.asyncDispose]() {
      await stopWorker();
      await controlPlane.close();
      await postgres.stop('immediate');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns all databases, logins, states of projects and kinds of open operations. */
export async function inventory(site: CrashSite): Promise<readonly string[]> {
  const onServer = await withClient(site.databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select 'database' as name from pg_database where datname like 'p\\_d%'
       union all select 'login' from pg_roles where rolname ~ '^d[0-9a-f]{20}_' order by 1`,
    );
    return rows.map(({ name }) => name);
  });
  const rows: { status: string }[] = await site.context.dataSource.query(
    'select status from project order by 1',
  );
  const open: { kind: string }[] = await site.context.dataSource.query(
    'select kind from operation where finished_at is null order by 1',
  );
  return [...onServer, ...rows.map(({ status }) => status), ...open.map(({ kind }) => kind)];
}

/** Waits until `probe` returns `true`, failures of a server that is away included; rejects after a minute. */
export async function withinAMinute(probe: () => Promise<boolean>): Promise<void> {
  await waitFor(probe, { ms: 60_000, everyMs: 100, retriesErrors: true });
}

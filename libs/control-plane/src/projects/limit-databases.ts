// The size of databases. PostgreSQL has no limit for the size of one, so the worker compares them with the limits of
// their projects: a database above its limit takes no writes, and a project whose owner goes on writing is paused.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { quoteIdent } from '#libs/wire';
import { recordAudit } from '../audit/record-audit.js';
import { Project } from '../entities/project.entity.js';
import { withAdmin } from '../provisioning/database-server.js';
import { type DatabaseNames, type LoginKind, namesOf } from '../provisioning/names.js';
import { setProjectStatus } from './change-project.js';
import { changeRecord } from './change-record.js';
import type { ProjectsContext } from './projects-context.js';

/**
 * How much a database that takes no writes may grow until its project is paused: a quarter, for indexes and system
 * tables of what was under way, and the room that an owner needs to clean up.
 */
const pauseFactor = 1.25;
const pauseSlackBytes = 1024 ** 3;

export interface DatabaseChange {
  readonly ref: string;
  /** `full`: it takes no writes. `released`: it takes them again. `paused`: it grew all the same. */
  readonly kind: 'full' | 'released' | 'paused';
  readonly bytes: number;
  /** Undefined if the project has no limit any more. */
  readonly limitBytes: number | undefined;
}

export interface DatabaseLimits {
  /** The limit of projects without one of their own, in bytes; undefined: none. */
  readonly defaultBytes: number | undefined;
  readonly onChange: (change: DatabaseChange) => void;
  readonly onFailure: (ref: string, error: unknown) => void;
  /** The room beside a quarter until a project is paused; default a gigabyte. */
  readonly slackBytes?: number;
}

/**
 * Compares the databases of active projects with their limits. Transactions of a database above its limit cannot write
 * unless they ask for it, and sessions that began before are ended; accounts are an exception, so that users sign in. A
 * database that was made smaller, or was given a larger limit, takes writes again.
 */
export async function limitDatabases(
  context: ProjectsContext,
  limits: DatabaseLimits,
): Promise<void> {
  const projects = await listLimited(context, limits.defaultBytes);
  if (projects.length === 0) return;
  await withAdmin(context.server, undefined, async (client) => {
    const found = await readDatabases(
      client,
      projects.map(({ id }) => namesOf(id).database),
    );
    // One after the other: few of them change in one round.
    for (const project of projects) {
      const database = found.get(namesOf(project.id).database);
      if (database === undefined) continue;
      try {
        await limitDatabase(client, { context, limits }, project, database);
      } catch (error) {
        limits.onFailure(project.ref, error);
      }
    }
  });
}

interface LimitedProject {
  readonly ref: string;
  /** In the names of its database and logins. */
  readonly id: string;
  readonly limitBytes: number | null;
  readonly fullSince: Date | null;
  readonly fullBytes: number | null;
}

/** Projects with a limit, and those that had one when they were last compared. */
function listLimited(
  { dataSource }: ProjectsContext,
  defaultBytes: number | undefined,
): Promise<readonly LimitedProject[]> {
  return dataSource.query(
    `select ref, case when has_legacy_names then ref else database_id end as id,
       coalesce(database_quota_bytes, $1)::pg_catalog.float8 as "limitBytes",
       database_full_since as "fullSince", database_full_bytes::pg_catalog.float8 as "fullBytes"
     from project
     where status = 'active' and upgrading is null
       and (coalesce(database_quota_bytes, $1) is not null or database_full_since is not null)`,
    [defaultBytes],
  );
}

interface FoundDatabase {
  readonly name: string;
  readonly bytes: number;
  readonly isReadOnly: boolean;
}

async function readDatabases(
  client: Client,
  names: readonly string[],
): Promise<ReadonlyMap<string, FoundDatabase>> {
  const { rows } = await client.query<FoundDatabase>(
    `select datname as name, pg_catalog.pg_database_size(oid)::pg_catalog.float8 as bytes, exists (
       select from pg_catalog.pg_db_role_setting
       where setdatabase operator(pg_catalog.=) pg_database.oid and setrole operator(pg_catalog.=) 0
         and 'default_transaction_read_only=on' operator(pg_catalog.=) any (setconfig)
     ) as "isReadOnly"
     from pg_catalog.pg_database
     where datallowconn and datname operator(pg_catalog.=) any ($1::pg_catalog.name[])`,
    [names],
  );
  return new Map(rows.map((row) => [row.name, row]));
}

async function limitDatabase(
  client: Client,
  { context, limits }: { readonly context: ProjectsContext; readonly limits: DatabaseLimits },
  project: LimitedProject,
  { name, bytes, isReadOnly }: FoundDatabase,
): Promise<void> {
  const { ref, fullSince } = project;
  const limitBytes = project.limitBytes ?? undefined;
  const report = (kind: DatabaseChange['kind']): void =>
    limits.onChange({ ref, kind, bytes, limitBytes });
  const sessions = new Sessions(client, project);
  if (limitBytes === undefined || bytes <= limitBytes) {
    if (isReadOnly) {
      await client.query(`alter database ${quoteIdent(name)} reset default_transaction_read_only`);
      await sessions.endReadOnly();
    }
    if (fullSince === null) return;
    await note(context, ref, { kind: 'released', bytes, limitBytes });
    report('released');
    return;
  }
  if (!isReadOnly) {
    await client.query(`alter database ${quoteIdent(name)} set default_transaction_read_only = on`);
  }
  if (fullSince === null) {
    await note(context, ref, { kind: 'full', bytes, limitBytes });
    await sessions.endWriting();
    report('full');
    return;
  }
  // Sessions of requests that were busy then, and have the earlier setting.
  await sessions.endBefore(['owner', 'editor', 'api'], fullSince);
  const { slackBytes = pauseSlackBytes } = limits;
  if (bytes <= Math.max(limitBytes, project.fullBytes ?? 0) * pauseFactor + slackBytes) return;
  await setProjectStatus(context, 'system', { ref, status: 'paused' });
  report('paused');
}

/** How long requests may go on in sessions that cannot write any more; milliseconds. */
const endRequestsMs = 1_000;

/** Ends sessions of a project, which read the setting of their database when they begin. */
class Sessions {
  private readonly names: DatabaseNames;

  constructor(
    private readonly client: Client,
    { id }: LimitedProject,
  ) {
    this.names = namesOf(id);
  }

  /** Ends those of the owner. Requests end within their time limit, so only their unused sessions are ended. */
  async endWriting(): Promise<void> {
    await this.endBefore(['owner', 'editor']);
    await this.endIdle(['api']);
  }

  /** Ends those that are not in use, and after a second all others of requests. */
  async endReadOnly(): Promise<void> {
    const { rows } = await this.client.query<{ now: Date }>(
      'select pg_catalog.clock_timestamp() as now',
    );
    await this.endIdle(['owner', 'editor', 'api']);
    await delay(endRequestsMs);
    await this.endBefore(['api'], rows[0]?.now);
  }

  /** Ends all, or those that began before a time. */
  async endBefore(kinds: readonly LoginKind[], before?: Date): Promise<void> {
    await this.client.query(
      `select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
       where datname operator(pg_catalog.=) $1
         and usename operator(pg_catalog.=) any ($2::pg_catalog.name[])
         and ($3::pg_catalog.timestamptz is null or backend_start operator(pg_catalog.<) $3)`,
      [this.names.database, this.loginsOf(kinds), before],
    );
  }

  private async endIdle(kinds: readonly LoginKind[]): Promise<void> {
    await this.client.query(
      `select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
       where datname operator(pg_catalog.=) $1
         and usename operator(pg_catalog.=) any ($2::pg_catalog.name[])
         and state operator(pg_catalog.=) 'idle'`,
      [this.names.database, this.loginsOf(kinds)],
    );
  }

  private readonly loginsOf = (kinds: readonly LoginKind[]): readonly string[] =>
    kinds.map((kind) => this.names[kind]);
}

/** Records whether the database of a project is full, with an entry in the audit log. */
function note(
  context: ProjectsContext,
  ref: string,
  { kind, bytes, limitBytes }: Pick<DatabaseChange, 'kind' | 'bytes' | 'limitBytes'>,
): Promise<void> {
  const isFull = kind === 'full';
  return changeRecord(context, ref, async (manager, project) => {
    await manager.update(
      Project,
      { ref },
      {
        // The clock of the server, with which the beginnings of sessions are compared.
        databaseFullSince: isFull ? () => 'pg_catalog.now()' : null,
        databaseFullBytes: isFull ? bytes : null,
      },
    );
    await recordAudit(manager, {
      actor: 'system',
      action: isFull ? 'project.database-full' : 'project.database-released',
      organizationId: project.organizationId,
      ref,
      target: ref,
      after: { bytes, limitBytes },
    });
  });
}

// The logins and databases of projects by their oid, kept in memory: the catalogs cannot be read while the table of
// locks of the server is full.
import { type Client, DatabaseError } from 'pg';
import { isLoginKind, type LoginKind } from './names.js';

export interface LoginName {
  readonly databaseId: string;
  /** `autovacuum` for a worker of the server, which runs functions of the project without a login. */
  readonly kind: LoginKind | 'autovacuum';
}

/** Of one session. Both are texts of oids. */
export interface SessionIds {
  /** Null, or 0, for a worker of autovacuum. */
  readonly loginOid: string | null;
  readonly databaseOid: string;
}

/** Logins and databases may be renamed by an upgrade. */
const keepMs = 60_000;
const outOfLocks = '53200';
const loginPattern = /^(d[0-9a-f]{20})_([a-z]+)$/;
const databasePattern = /^p_(d[0-9a-f]{20})$/;

export class LoginNames {
  /** Undefined for roles that are no logins of projects, and databases that are not theirs. */
  private byOid: ReadonlyMap<string, LoginName | undefined> = new Map();
  private readAt = -Infinity;

  constructor(private readonly client: Client) {}

  /** Reads the catalogs if one of the ids is unknown, or if the names are old. */
  async learn(sessions: readonly SessionIds[]): Promise<void> {
    const isOld = performance.now() - this.readAt > keepMs;
    if (!isOld && sessions.every((ids) => this.byOid.has(keyOf(ids)))) return;
    await this.read();
  }

  /** Reads the catalogs. A full table of locks keeps the old names. */
  async read(): Promise<void> {
    try {
      const { rows } = await this.client.query<{ kind: string; oid: string; name: string }>(
        `select 'login' as kind, oid::pg_catalog.text as oid, rolname::pg_catalog.text as name from pg_catalog.pg_authid
         union all
         select 'database', oid::pg_catalog.text, datname::pg_catalog.text from pg_catalog.pg_database`,
      );
      const entries = rows.map(({ kind, oid, name }) => {
        const parsed = kind === 'login' ? parseLogin(name) : parseDatabase(name);
        return [`${kind} ${oid}`, parsed] as const;
      });
      this.byOid = new Map(entries);
      this.readAt = performance.now();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === outOfLocks)) throw error;
    }
  }

  /** Returns undefined for a session that is not of a project, and for one that is unknown. */
  find(ids: SessionIds): LoginName | undefined {
    return this.byOid.get(keyOf(ids));
  }

  /** False for a session that is known to be something else. Roles that are not known were made since the last read. */
  mayBeOfProject(ids: SessionIds): boolean {
    return !this.byOid.has(keyOf(ids)) || this.find(ids) !== undefined;
  }
}

const keyOf = ({ loginOid, databaseOid }: SessionIds): string =>
  loginOid === null || loginOid === '0' ? `database ${databaseOid}` : `login ${loginOid}`;

function parseLogin(name: string): LoginName | undefined {
  const [, databaseId, kind] = loginPattern.exec(name) ?? [];
  if (databaseId === undefined || kind === undefined || !isLoginKind(kind)) return undefined;
  return { databaseId, kind };
}

function parseDatabase(name: string): LoginName | undefined {
  const databaseId = databasePattern.exec(name)?.[1];
  return databaseId === undefined ? undefined : { databaseId, kind: 'autovacuum' };
}

// The logins and databases of projects by their oid, cached in memory: the catalogs cannot be read while the table of
// locks of the server is full.
import { type Client, DatabaseError } from 'pg';
import { isLoginKind, type LoginKind } from './names.js';

export interface LoginName {
  readonly databaseId: string;
  /** `autovacuum` for a worker of the server, which runs functions of the project without a login. */
  readonly kind: LoginKind | 'autovacuum';
}

/** The oids of one session, as texts. */
export interface SessionIds {
  /** Null, or 0, for a worker of autovacuum. */
  readonly loginOid: string | null;
  readonly databaseOid: string;
}

/** An upgrade may rename logins and databases. */
const keepMs = 60_000;
const outOfLocks = '53200';
const loginPattern = /^(d[0-9a-f]{20})_([a-z]+)$/;
const databasePattern = /^p_(d[0-9a-f]{20})$/;

export class LoginNames {
  /** Undefined for roles and databases that belong to no project. */
  private byOid: ReadonlyMap<string, LoginName | undefined> = new Map();
  private readAt = -Infinity;

  constructor(private readonly client: Client) {}

  /** Reads the catalogs if one of the ids is unknown, or if the names are old. */
  async learn(sessions: readonly SessionIds[]): Promise<void> {
    const isOld = performance.now() - this.readAt > keepMs;
    if (!isOld && sessions.every((ids) => this.byOid.has(keyOf(ids)))) return;
    await this.read();
  }

  /** Reads the catalogs. While the table of locks is full, the old names are kept. */
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

  /** Returns undefined for a session that belongs to no project or is unknown. */
  find(ids: SessionIds): LoginName | undefined {
    return this.byOid.get(keyOf(ids));
  }

  /** False for a session that is known to belong to no project. Unknown roles were created since the last read. */
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

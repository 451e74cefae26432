// The logins of projects by their oid, kept in memory: the catalog of roles cannot be read while the table of locks
// of the server is full.
import { type Client, DatabaseError } from 'pg';
import { isLoginKind, type LoginKind } from './names.js';

export interface LoginName {
  readonly databaseId: string;
  readonly kind: LoginKind;
}

/** Logins may be renamed by an upgrade. */
const keepMs = 60_000;
const outOfLocks = '53200';
const loginPattern = /^(d[0-9a-f]{20})_([a-z]+)$/;

export class LoginNames {
  /** Undefined for roles that are no logins of projects. */
  private byOid: ReadonlyMap<string, LoginName | undefined> = new Map();
  private readAt = -Infinity;

  constructor(private readonly client: Client) {}

  /** Reads the catalog if one of the oids is unknown, or if the names are old. A full table of locks keeps the old names. */
  async learn(oids: readonly (string | null)[]): Promise<void> {
    const isOld = performance.now() - this.readAt > keepMs;
    if (!isOld && oids.every((oid) => oid === null || oid === '0' || this.byOid.has(oid))) return;
    try {
      const { rows } = await this.client.query<{ oid: string; name: string }>(
        `select oid::pg_catalog.text as oid, rolname::pg_catalog.text as name from pg_catalog.pg_authid`,
      );
      this.byOid = new Map(rows.map(({ oid, name }) => [oid, parseLogin(name)]));
      this.readAt = performance.now();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === outOfLocks)) throw error;
    }
  }

  /** Returns undefined for a role that is no login of a project, and for one that is unknown. */
  find(oid: string): LoginName | undefined {
    return this.byOid.get(oid);
  }

  /** False for a role that is known to be something else. Roles that are not known were made since the last read. */
  mayBeOfProject(oid: string): boolean {
    return !this.byOid.has(oid) || this.byOid.get(oid) !== undefined;
  }
}

function parseLogin(name: string): LoginName | undefined {
  const [, databaseId, kind] = loginPattern.exec(name) ?? [];
  if (databaseId === undefined || kind === undefined || !isLoginKind(kind)) return undefined;
  return { databaseId, kind };
}

// How tools reach the database of a project as the owner of its tables.
import { type AuditActor, type AuditInput, recordAudit } from '../audit/record-audit.js';
import type { Project } from '../entities/project.entity.js';
import { endConnectionsOf, prepareLogins, withLoginLock } from '../provisioning/login-state.js';
import { namesOf } from '../provisioning/names.js';
import { changeRecord } from './change-record.js';
import { ensureMigrated } from './migrate-projects.js';
import { openSecrets, withNewOwnerPassword } from './project-secrets.js';
import type { ProjectsContext } from './projects-context.js';
import { getUsable } from './restore-logins.js';

/** The address, the name and the password of the owner. */
export interface DatabaseAccess {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** A connection string with the password. */
  readonly databaseUrl: string;
}

/**
 * Returns the access of a project's owner, and writes an audit entry. It changes with an upgrade that renames the
 * owner. Throws PROJECT_NOT_FOUND.
 */
export async function readDatabaseAccess(
  context: ProjectsContext,
  actor: AuditActor,
  ref: string,
): Promise<DatabaseAccess> {
  await ensureNames(context, ref);
  const { dataSource, masterKey } = context;
  const project = await getUsable(dataSource, ref);
  const { owner } = openSecrets(masterKey, project).passwords;
  await recordAudit(dataSource.manager, {
    ...auditOf(actor, project),
    action: 'project.read-database-password',
  });
  return accessOf(context, project.databaseId, owner);
}

/**
 * Gives the owner of a project's database a new password, ends the connections that used the old one, and returns the
 * new access. Throws PROJECT_NOT_FOUND, and CONFLICT if a session holds a lock on the login of the owner.
 */
export async function rotateDatabasePassword(
  context: ProjectsContext,
  actor: AuditActor,
  ref: string,
): Promise<DatabaseAccess> {
  await ensureNames(context, ref);
  const { server, dataSource, masterKey } = context;
  return withLoginLock(server, ref, async (client) => {
    const { databaseId, ...sealed } = await getUsable(dataSource, ref);
    const { passwords, sealedLogins } = withNewOwnerPassword(masterKey, sealed);
    const restore = await prepareLogins(databaseId, passwords);
    const { owner } = namesOf(databaseId);
    // A session of the owner may hold a lock on its own login.
    await endConnectionsOf(client, owner);
    await changeRecord(context, ref, async (manager, project) => {
      await recordAudit(manager, {
        ...auditOf(actor, project),
        action: 'project.rotate-database-password',
      });
      // If this transaction fails after the change on the server, the worker restores the old password.
      const digest = await restore(client);
      await manager.query(
        'update project set sealed_logins = $2, login_digest = $3 where ref = $1',
        [ref, sealedLogins, digest],
      );
    });
    await endConnectionsOf(client, owner);
    return accessOf(context, databaseId, passwords.owner);
  });
}

/** The first migration of this release renames database and logins. */
async function ensureNames(context: ProjectsContext, ref: string): Promise<void> {
  await getUsable(context.dataSource, ref);
  await ensureMigrated(context, ref);
}

function auditOf(actor: AuditActor, { organizationId, ref }: Project): Omit<AuditInput, 'action'> {
  return { actor, organizationId, ref, target: ref };
}

function accessOf(context: ProjectsContext, databaseId: string, password: string): DatabaseAccess {
  const { ownerHost: host, port } = context.server;
  const { database, owner: user } = namesOf(databaseId);
  return { host, port, database, user, databaseUrl: ownerUrl(context, databaseId, password) };
}

/** The connection string of a project's owner. */
export function ownerUrl(
  { server }: Pick<ProjectsContext, 'server'>,
  databaseId: string,
  password: string,
): string {
  const { ownerHost: host, port, ssl } = server;
  const names = namesOf(databaseId);
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return `postgres://${names.owner}:${password}@${address}/${names.database}${ssl ? '?sslmode=require' : ''}`;
}

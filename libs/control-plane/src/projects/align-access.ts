// Keeps access to the database of a project in line with its state: its owner may connect while the project is active,
// the platform's logins until it is deleted. The worker compares both every minute, so that a crash between the two
// changes is repaired.
import { In } from 'typeorm';
import { Project } from '../entities/project.entity.js';
import {
  closedDatabaseLimit,
  listAccess,
  type PresentAccess,
  setDatabaseAccess,
} from '../provisioning/database-access.js';
import { withLoginLock } from '../provisioning/login-state.js';
import { type DatabaseNames, namesOf } from '../provisioning/names.js';
import type { LoginsContext } from './restore-logins.js';

/** States of projects that have a database. */
const kept = ['active', 'paused', 'deleted'] as const;

/**
 * Opens or closes the database of a project according to its state, and ends the connections that are no longer
 * allowed. Throws CONFLICT while sessions of the project keep their login locked.
 */
export async function alignAccess(context: LoginsContext, ref: string): Promise<void> {
  await withLoginLock(context.server, ref, async (client) => {
    const project = await context.dataSource.manager.findOneBy(Project, { ref, status: In(kept) });
    if (project === null) return;
    await setDatabaseAccess(client, namesFor(project), {
      admitsOwner: project.status === 'active',
      admitsLogins: project.status !== 'deleted',
    });
  });
}

/**
 * Calls {@link alignAccess} for each project whose database differs. An error goes to `onFailure`, and the other
 * projects follow. Returns the refs of the changed projects.
 */
export async function alignAll(
  context: LoginsContext,
  onFailure: (ref: string, error: unknown) => void,
): Promise<readonly string[]> {
  const projects = await context.dataSource.manager.find(Project, {
    select: { ref: true, status: true, databaseId: true, hasLegacyNames: true },
    where: { status: In(kept) },
    order: { ref: 'ASC' },
  });
  const present = await listAccess(context.server, projects.map(namesFor));
  const aligned: string[] = [];
  for (const project of projects) {
    if (!differs(project, present.get(namesFor(project).database))) continue;
    try {
      await alignAccess(context, project.ref); // One by one: after a crash only few differ.
      aligned.push(project.ref);
    } catch (error) {
      onFailure(project.ref, error);
    }
  }
  return aligned;
}

function differs({ status }: Project, present: PresentAccess | undefined): boolean {
  if (present === undefined) return false;
  const isClosed = present.limit === closedDatabaseLimit;
  return present.admitsOwner !== (status === 'active') || isClosed !== (status === 'deleted');
}

const namesFor = ({ hasLegacyNames, ref, databaseId }: Project): DatabaseNames =>
  namesOf(hasLegacyNames ? ref : databaseId);

// The steps that remove everything of a project. Each may be repeated, also after a crash.
import { AuditEntry } from '../entities/audit-entry.entity.js';
import { Project } from '../entities/project.entity.js';
import { finishOperations, noteStep } from '../operations/operations.js';
import { dropDatabase, dropInvalidDatabase } from '../provisioning/drop-database.js';
import { namesOf } from '../provisioning/names.js';
import { openToLogins } from '../provisioning/project-database.js';
import { removeFolder } from '../provisioning/project-files.js';
import { renameDatabase } from '../provisioning/rename-database.js';
import type { Step } from '../provisioning/steps.js';
import { dropSnapshots } from '../upgrades/snapshots.js';
import { dropNotedLogins, noteLeftoverLogins } from './leftover-logins.js';
import { type Attempt, trackedSteps } from './project-lock.js';
import { getDeletedRecord } from './project-records.js';
import type { ProjectsContext } from './projects-context.js';

/** Removes everything of a project that is being created or deleted, under its lock. */
export async function removeProject(
  context: ProjectsContext,
  project: Project,
  attempt: Attempt,
): Promise<void> {
  await context.runSteps(trackedSteps(context, attempt, deletionSteps(context, project, attempt)));
}

const dropStep = 'drop the database';

// These steps cannot be taken back: a failure leaves the row, and the next attempt does the rest.
function deletionSteps(
  context: ProjectsContext,
  project: Project,
  attempt: Attempt,
): readonly Step[] {
  const { dataDir } = context;
  const { ref } = project;
  const undo = async (): Promise<void> => undefined;
  return [
    { name: 'rename the database', run: () => rename(context, project), undo },
    // The settings, which say where the files are, are deleted with the database.
    { name: 'remove the objects', run: () => removeObjects(context, project), undo },
    // Logins that own objects in a snapshot cannot be dropped.
    { name: 'drop the snapshots', run: () => dropSnapshots(context, ref), undo },
    { name: dropStep, run: () => drop(context, project, attempt), undo },
    // Without a database the logins lead nowhere. A neighbor can delay dropping them, and nothing else of the
    // deletion.
    { name: 'note the logins', run: () => noteLogins(context, project), undo },
    { name: 'remove the folder', run: () => removeFolder(dataDir, ref), undo },
    { name: 'remove the row', run: () => removeRow(context, project), undo },
    { name: 'drop the roles', run: () => dropLogins(context, project), undo },
  ];
}

async function rename({ server }: ProjectsContext, project: Project): Promise<void> {
  const { ref, databaseId, hasLegacyNames } = project;
  if (!hasLegacyNames) return;
  // PostgreSQL cannot rename a database whose removal was interrupted.
  await dropInvalidDatabase(server, namesOf(ref).database);
  await renameDatabase(server, { ref, databaseId });
}

async function removeObjects(context: ProjectsContext, project: Project): Promise<void> {
  if (!context.removeObjects) return;
  const { ref, databaseId } = project;
  // A project that was never completed has none; if the database is gone, they were removed before.
  const record = await getDeletedRecord(context, ref);
  if (!record || !(await openToLogins(context.server, namesOf(databaseId).database))) return;
  const deletion = await context.dataSource.manager.findOne(AuditEntry, {
    where: { ref, action: 'project.delete' },
    order: { id: 'DESC' },
  });
  await context.removeObjects(record, { begunAt: deletion?.at ?? new Date() });
}

/** The step that operators read says what it waits for. */
async function drop(
  { server, dataSource, onWatchFailure }: ProjectsContext,
  { databaseId, ref }: Project,
  { owner }: Attempt,
): Promise<void> {
  await dropDatabase(server, namesOf(databaseId).database, {
    onWait: (reason) => {
      const step = reason === undefined ? dropStep : `${dropStep}: waits for ${reason}`;
      return noteStep(dataSource.manager, owner, step);
    },
    onFailure: (error) => onWatchFailure?.(ref, error),
  });
}

/** A database that was dropped before it was renamed has left logins with names made from the ref. */
const loginIdsOf = ({ ref, databaseId, hasLegacyNames }: Project): readonly string[] =>
  hasLegacyNames ? [databaseId, ref] : [databaseId];

async function noteLogins({ dataSource }: ProjectsContext, project: Project): Promise<void> {
  for (const id of loginIdsOf(project)) await noteLeftoverLogins(dataSource, id);
}

async function dropLogins(context: ProjectsContext, project: Project): Promise<void> {
  for (const id of loginIdsOf(project)) await dropNotedLogins(context, id);
}

async function removeRow({ dataSource }: ProjectsContext, project: Project): Promise<void> {
  const { ref, status } = project;
  await dataSource.transaction(async (manager) => {
    await manager.delete(Project, { ref });
    await finishOperations(manager, ref, status === 'creating' ? 'undone' : 'done');
  });
}

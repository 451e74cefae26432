// Projects are deleted at once or after a period in which they can be restored. The removal is an operation: the
// request tries it first, and the jobs of the worker retry it until nothing is left.
import { fail } from '#libs/errors';
import { type EntityManager, In } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { Project } from '../entities/project.entity.js';
import {
  finishOperations,
  newOwner,
  type Outcome,
  planOperation,
  runAttempt,
  startOperation,
} from '../operations/operations.js';
import { alignAccess } from './align-access.js';
import { moveVersion } from './change-record.js';
import { removeProject } from './deletion-steps.js';
import { type Attempt, withProjectLock } from './project-lock.js';
import type { ProjectsContext } from './projects-context.js';
import { refusalOf } from './ref-refusal.js';
import type { RemovalRunner } from './removal-runner.js';

/**
 * Deletes a project for good; its row records that first. Also removes an abandoned creation. Returns when the project
 * is removed, or earlier: if another attempt removes it, and as the `runner` says. Throws PROJECT_NOT_FOUND, and
 * CONFLICT while the project is being created, and for an abandoned creation while the runner has no room.
 */
export async function deleteProject(
  context: ProjectsContext,
  actor: AuditActor,
  ref: string,
  runner?: RemovalRunner,
): Promise<void> {
  const isMade = await markIfMade(context, actor, ref);
  if (!runner) await removeNow(context, actor, { ref, isMade });
  else if (runner.hasRoom) {
    await runner.run(ref, (signal) => removeNow(context, actor, { ref, isMade, signal }));
  } else if (!isMade) {
    throw fail('CONFLICT', { reason: 'Too many projects are being deleted; try again later' });
  }
}

interface Removal {
  readonly ref: string;
  /** Whether its creation was completed. */
  readonly isMade: boolean;
  /** No further step begins after it aborts; the worker continues. */
  readonly signal?: AbortSignal;
}

async function removeNow(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, isMade, signal }: Removal,
): Promise<void> {
  const owner = newOwner();
  const removed = await withProjectLock(context, { ref, owner }, async (attempt) => {
    if (!isMade) await markAbandoned(context, actor, ref);
    await removeAs(context, ref, stoppable(attempt, signal));
    return true;
  });
  if (removed !== undefined || isMade) return;
  // The worker may already be taking the creation back.
  if ((await refusalOf(context, ref)).code === 'REF_TAKEN') {
    throw fail('CONFLICT', { reason: 'This project is being created; try again later' });
  }
}

/** The attempt, whose check of the lock also fails when `signal` aborts. */
function stoppable(attempt: Attempt, signal: AbortSignal | undefined): Attempt {
  return {
    ...attempt,
    async assertLocked() {
      if (signal?.aborted === true) throw new StoppedError();
      await attempt.assertLocked();
    },
  };
}

/** The process stops before the next step of a removal. */
class StoppedError extends Error {}

async function removeAs(context: ProjectsContext, ref: string, attempt: Attempt): Promise<void> {
  const { manager } = context.dataSource;
  const project = await manager.findOneBy(Project, { ref, status: In(['creating', 'deleting']) });
  // Another process was faster.
  if (project === null) return;
  const { organizationId, status } = project;
  const kind = status === 'creating' ? 'create' : 'delete';
  await startOperation(manager, { kind, ref, organizationId }, attempt.owner);
  await runAttempt(context.dataSource, attempt.owner, async () => {
    try {
      await removeProject(context, project, attempt);
      return 'done';
    } catch (error) {
      if (error instanceof StoppedError) return 'busy';
      throw error;
    }
  });
}

/**
 * Marks a project whose creation is complete. Returns false in the state `creating`; the lock is free if the creation
 * was abandoned.
 */
async function markIfMade(
  context: ProjectsContext,
  actor: AuditActor,
  ref: string,
): Promise<boolean> {
  const version = await context.dataSource.transaction(async (manager) => {
    const project = await lockRow(manager, ref);
    if (project.status === 'creating') return undefined;
    if (project.status === 'deleting') return project.version;
    return markDeleting(manager, actor, project);
  });
  if (version === undefined) return false;
  await announceEnd(context, ref, version);
  return true;
}

/** Prepares the removal of an abandoned creation. A project that was completed meanwhile is marked instead. */
async function markAbandoned(
  context: ProjectsContext,
  actor: AuditActor,
  ref: string,
): Promise<void> {
  const version = await context.dataSource.transaction(async (manager) => {
    const project = await lockRow(manager, ref);
    // It stays `creating`, which means that it has no files and that its logins may have no rights yet.
    if (project.status === 'creating') await auditDeletion(manager, actor, project);
    else if (project.status !== 'deleting') return markDeleting(manager, actor, project);
    return project.version;
  });
  await announceEnd(context, ref, version);
}

async function lockRow(manager: EntityManager, ref: string): Promise<Project> {
  const lock = { mode: 'pessimistic_write' } as const;
  const project = await manager.findOne(Project, { where: { ref }, lock });
  if (project === null) throw fail('PROJECT_NOT_FOUND');
  return project;
}

/** Returns the new version of the record. */
async function markDeleting(
  manager: EntityManager,
  actor: AuditActor,
  project: Project,
): Promise<number> {
  const { ref, organizationId } = project;
  await manager.update(Project, { ref }, { status: 'deleting' });
  await auditDeletion(manager, actor, project);
  await planOperation(manager, { kind: 'delete', ref, organizationId }, new Date());
  return moveVersion(manager, ref);
}

async function auditDeletion(
  manager: EntityManager,
  actor: AuditActor,
  { ref, organizationId, name, status, idType }: Project,
): Promise<void> {
  await recordAudit(manager, {
    actor,
    action: 'project.delete',
    organizationId,
    ref,
    target: ref,
    before: { name, status, idType },
  });
}

async function announceEnd(
  { publish }: ProjectsContext,
  ref: string,
  version: number,
): Promise<void> {
  await publish(`project.${ref}`, { kind: 'deleted', version });
}

/**
 * Deletes a project after `days` in which it can be restored; until then requests to it answer as if it did not exist.
 * Repeating it does not move the date. A project that was never completed is deleted at once. Throws PROJECT_NOT_FOUND
 * and CONFLICT.
 */
export async function scheduleDeletion(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, days }: { readonly ref: string; readonly days: number },
  runner?: RemovalRunner,
): Promise<void> {
  const version = await context.dataSource.transaction(async (manager) => {
    const project = await lockRow(manager, ref);
    const { status } = project;
    if (status === 'creating' || status === 'deleting') return undefined;
    if (status === 'deleted') return project.version;
    return markDeleted(manager, actor, { project, status, days });
  });
  if (version === undefined) {
    await deleteProject(context, actor, ref, runner);
    return;
  }
  await announceEnd(context, ref, version);
  await alignAccess(context, ref);
}

interface Schedule {
  readonly project: Project;
  readonly status: 'active' | 'paused';
  readonly days: number;
}

async function markDeleted(
  manager: EntityManager,
  actor: AuditActor,
  { project, status, days }: Schedule,
): Promise<number> {
  const { ref, organizationId, name, idType } = project;
  const deleteAt = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  await manager.update(Project, { ref }, { status: 'deleted', deleteAt, statusBefore: status });
  await recordAudit(manager, {
    actor,
    action: 'project.delete',
    organizationId,
    ref,
    target: ref,
    before: { name, status, idType },
    after: { status: 'deleted', deleteAt },
  });
  // Other operations have no project to work on; the next round plans them if the project is restored.
  await finishOperations(manager, ref, 'undone');
  await planOperation(manager, { kind: 'delete', ref, organizationId }, deleteAt);
  return moveVersion(manager, ref);
}

/** Continues the creation or the deletion of a project as the attempt `owner`: a half-made project is removed. */
export async function continueRemoval(
  context: ProjectsContext,
  ref: string,
  owner: string,
): Promise<Outcome> {
  const outcome = await withProjectLock(context, { ref, owner }, async (attempt) => {
    const { manager } = context.dataSource;
    // Read under the lock: the creation may have been completed meanwhile, or the deleted project restored.
    const project = await manager.findOneBy(Project, { ref });
    if (project?.status === 'deleted') {
      const { deleteAt } = project;
      if (deleteAt !== null && deleteAt.getTime() > Date.now()) return { waitUntil: deleteAt };
      if (!(await markDue(context, ref))) return 'busy';
    } else if (project?.status !== 'creating' && project?.status !== 'deleting') {
      return 'done';
    }
    await removeProject(context, project, attempt);
    return 'done';
  });
  return outcome ?? 'busy';
}

/** Marks a deleted project whose time has come. False if it was restored meanwhile. */
async function markDue({ dataSource }: ProjectsContext, ref: string): Promise<boolean> {
  return dataSource.transaction(async (manager) => {
    const project = await lockRow(manager, ref);
    if (project.status !== 'deleted') return false;
    await manager.update(Project, { ref }, { status: 'deleting' });
    await auditDeletion(manager, 'system', project);
    return true;
  });
}

/** Throws REF_NOT_CONFIRMED unless the operator typed the ref of the project. */
export function assertConfirmed(ref: string, typed: string | undefined): void {
  if (typed !== ref) throw fail('REF_NOT_CONFIRMED');
}

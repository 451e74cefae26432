import { fail } from '#libs/errors';
import type { AuditActor } from '../audit/record-audit.js';
import { Organization } from '../entities/organization.entity.js';
import { Project } from '../entities/project.entity.js';
import { administersAll } from '../operators/authority.js';
import { newOwner, runAttempt } from '../operations/operations.js';
import { ownerUrl } from './database-access.js';
import { creationSteps, recordCreation, type ProjectPlan } from './creation-steps.js';
import { addKey } from './keys.js';
import { type Attempt, trackedSteps, withProjectLock } from './project-lock.js';
import { newSecrets } from './project-secrets.js';
import { publishRecord, type ProjectsContext } from './projects-context.js';
import { assertFreeToName, newRef } from './ref.js';
import { refusalOf } from './ref-refusal.js';

export interface NewProject {
  readonly name: string;
  /** Absent: a random ref. */
  readonly ref?: string | undefined;
  readonly idType?: 'text' | 'uuid' | undefined;
  readonly organizationId: string;
}

/** A new project. Its keys can be read only here. */
export interface CreatedProject {
  readonly ref: string;
  readonly name: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** The connection string of the owner of the project's tables. */
  readonly databaseUrl: string;
  readonly createdAt: Date;
}

/**
 * Creates a project with its database, roles, folder and keys, or nothing at all: after a crash the job of its
 * operation removes the remains. Throws INVALID_INPUT for the ref, REF_TAKEN, REF_BEING_RELEASED and
 * ORGANIZATION_NOT_FOUND.
 */
export async function createProject(
  context: ProjectsContext,
  actor: AuditActor,
  input: NewProject,
): Promise<CreatedProject> {
  const ref = input.ref ?? newRef();
  assertFreeToName(ref);
  const isAdministered = await administersAll(context.dataSource.manager, actor);
  if (!isAdministered && context.reservedRefs.includes(ref)) {
    const reason = `"${ref}" is reserved: only an administrator of the deployment can create it`;
    throw fail('INVALID_INPUT', { field: 'ref', reason });
  }
  if (!(await context.dataSource.manager.existsBy(Organization, { id: input.organizationId }))) {
    throw fail('ORGANIZATION_NOT_FOUND');
  }
  const plan: ProjectPlan = {
    ref,
    name: input.name,
    idType: input.idType ?? 'text',
    organizationId: input.organizationId,
    isAdministered,
    databaseId: context.newDatabaseId(),
    secrets: newSecrets(context.masterKey, ref),
  };
  const keys = await withProjectLock(context, { ref, owner: newOwner() }, (attempt) =>
    makeProject(context, actor, { plan, attempt }),
  );
  if (keys === undefined) throw await refusalOf(context, ref);
  const project = await context.dataSource.manager.findOneByOrFail(Project, { ref });
  await publishRecord(context.publish, project);
  const databaseUrl = ownerUrl(context, plan.databaseId, plan.secrets.passwords.owner);
  return { ref, name: project.name, ...keys, databaseUrl, createdAt: project.createdAt };
}

async function makeProject(
  context: ProjectsContext,
  actor: AuditActor,
  { plan, attempt }: { readonly plan: ProjectPlan; readonly attempt: Attempt },
): Promise<{ publishableKey: string; secretKey: string }> {
  const keys = { publishableKey: '', secretKey: '' };
  const steps = creationSteps(context, { ...plan, owner: attempt.owner }, async (manager) => {
    keys.publishableKey = (await addKey(manager, plan.ref, 'publishable')).key;
    keys.secretKey = (await addKey(manager, plan.ref, 'secret')).key;
    await recordCreation(manager, actor, plan);
  });
  await runAttempt(context.dataSource, attempt.owner, async () => {
    await context.runSteps(trackedSteps(context, attempt, steps));
    return 'done';
  });
  return keys;
}

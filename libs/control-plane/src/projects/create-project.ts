import { fail } from '#libs/errors';
import type { AuditActor } from '../audit/record-audit.js';
import { Organization } from '../entities/organization.entity.js';
import { Project } from '../entities/project.entity.js';
import { tryWithLock } from '../provisioning/advisory-lock.js';
import { withAdmin } from '../provisioning/database-server.js';
import { ownerUrl } from './database-access.js';
import { creationSteps, recordCreation, type ProjectPlan } from './creation-steps.js';
import { addKey } from './keys.js';
import { newSecrets } from './project-secrets.js';
import { projectLock, publishRecord, type ProjectsContext } from './projects-context.js';
import { assertFreeToName, newRef } from './ref.js';

export interface NewProject {
  readonly name: string;
  /** Absent: a random one. */
  readonly ref?: string | undefined;
  readonly idType?: 'text' | 'uuid' | undefined;
  readonly organizationId: string;
}

/** A project that was just made. This is the only time that its keys can be read. */
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
 * Makes a project with its database, roles, folder and keys, or nothing at all.
 * Throws INVALID_INPUT for the ref, REF_TAKEN and ORGANIZATION_NOT_FOUND.
 */
export async function createProject(
  context: ProjectsContext,
  actor: AuditActor,
  input: NewProject,
): Promise<CreatedProject> {
  const ref = input.ref ?? newRef();
  assertFreeToName(ref);
  if (!(await context.dataSource.manager.existsBy(Organization, { id: input.organizationId }))) {
    throw fail('ORGANIZATION_NOT_FOUND');
  }
  const plan: ProjectPlan = {
    ref,
    name: input.name,
    idType: input.idType ?? 'text',
    organizationId: input.organizationId,
    databaseId: context.newDatabaseId(),
    secrets: newSecrets(context.masterKey, ref),
  };
  const keys = await withAdmin(context.server, undefined, (client) =>
    tryWithLock(client, projectLock(ref), () => makeProject(context, actor, plan)),
  );
  if (keys === undefined) throw fail('REF_TAKEN', { ref });
  const project = await context.dataSource.manager.findOneByOrFail(Project, { ref });
  await publishRecord(context.publish, project);
  const databaseUrl = ownerUrl(context, plan.databaseId, plan.secrets.passwords.owner);
  return { ref, name: project.name, ...keys, databaseUrl, createdAt: project.createdAt };
}

async function makeProject(
  context: ProjectsContext,
  actor: AuditActor,
  plan: ProjectPlan,
): Promise<{ publishableKey: string; secretKey: string }> {
  const keys = { publishableKey: '', secretKey: '' };
  await context.runSteps(
    creationSteps(context, plan, async (manager) => {
      keys.publishableKey = (await addKey(manager, plan.ref, 'publishable')).key;
      keys.secretKey = (await addKey(manager, plan.ref, 'secret')).key;
      await recordCreation(manager, actor, plan);
    }),
  );
  return keys;
}

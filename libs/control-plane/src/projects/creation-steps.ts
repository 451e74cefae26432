// The steps that create a project. Each can be taken back, so that a failure anywhere leaves no row, role, database or
// folder.
import { fail } from '#libs/errors';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { Project } from '../entities/project.entity.js';
import { isCollationRefusal } from '../provisioning/collation-version.js';
import { withAdmin } from '../provisioning/database-server.js';
import { dropDatabase } from '../provisioning/drop-database.js';
import {
  createDatabase,
  dropRoles,
  ensureRoles,
  grantRights,
  hasDatabaseObjects,
} from '../provisioning/project-database.js';
import { createFolder, hasFiles, removeFolder } from '../provisioning/project-files.js';
import { namesOf } from '../provisioning/names.js';
import { sideBySide, type Step } from '../provisioning/steps.js';
import { finishOperations, startOperation } from '../operations/operations.js';
import { ensureTemplates, templateName } from '../provisioning/templates.js';
import { moveVersion } from './change-record.js';
import { noteLeftoverLogins } from './leftover-logins.js';
import type { OpenedSecrets, SealedSecrets } from './project-secrets.js';
import type { ProjectsContext } from './projects-context.js';
import { refusalOf } from './ref-refusal.js';

const invalidCatalogName = '3D000';
const maxCopyAttempts = 3;

/** A project that is about to be created. */
export interface ProjectPlan {
  readonly ref: string;
  readonly name: string;
  readonly idType: 'text' | 'uuid';
  readonly organizationId: string;
  /** Whether an administrator of the deployment creates it. */
  readonly isAdministered: boolean;
  readonly databaseId: string;
  readonly secrets: OpenedSecrets & SealedSecrets;
}

/** A plan with the attempt that carries it out. */
type OwnedPlan = ProjectPlan & { readonly owner: string };

/** The steps that create the project of a plan. `onActive` runs in the transaction that finishes it. */
export function creationSteps(
  context: ProjectsContext,
  plan: OwnedPlan,
  onActive: (manager: EntityManager) => Promise<void>,
): readonly Step[] {
  const { server, dataDir } = context;
  const { ref } = plan;
  const names = namesOf(plan.databaseId);
  const nothingToUndo = async (): Promise<void> => undefined;
  return [
    {
      name: 'reserve the ref',
      run: () => reserve(context, plan),
      undo: () => unreserve(context, plan),
    },
    {
      name: 'check that the names are free',
      run: () => assertNamesFree(context, plan),
      undo: nothingToUndo,
    },
    {
      name: 'make the folder',
      run: () => createFolder(dataDir, ref),
      undo: () => removeFolder(dataDir, ref),
    },
    sideBySide('create the roles and the database', [
      {
        name: 'create the roles',
        run: async () => void (await ensureRoles(server, names, plan.secrets.passwords)),
        undo: async () => {
          if (!(await dropRoles(server, names))) {
            await noteLeftoverLogins(context.dataSource, plan.databaseId);
          }
        },
      },
      {
        name: 'create the database',
        run: () => copyTemplate(context, plan),
        undo: () => dropDatabase(server, names.database),
      },
    ]),
    { name: 'grant the rights', run: () => grantRights(server, names), undo: nothingToUndo },
    {
      name: 'activate',
      run: () => activate(context, plan, onActive),
      undo: () => deactivate(context, plan),
    },
  ];
}

async function reserve(context: ProjectsContext, plan: OwnedPlan): Promise<void> {
  const { ref, organizationId, owner } = plan;
  const isReserved = await context.dataSource.transaction(async (manager) => {
    const inserted: unknown[] = await manager.query(
      `insert into project (ref, organization_id, name, status, id_type, sealed_data_key, sealed_logins,
         migrated_to, database_id, is_administered)
       values ($1, $2, $3, 'creating', $4, $5, $6, $7, $8, $9)
       on conflict do nothing returning ref`,
      [
        ref,
        organizationId,
        plan.name,
        plan.idType,
        plan.secrets.sealedDataKey,
        plan.secrets.sealedLogins,
        context.release.hash,
        plan.databaseId,
        plan.isAdministered,
      ],
    );
    if (inserted.length === 0) return false;
    await startOperation(manager, { kind: 'create', ref, organizationId }, owner);
    return true;
  });
  if (!isReserved) throw await refusalOf(context, ref, { isLocked: true });
}

// The sealed data key identifies this attempt: the row of an older project is left unchanged.
async function unreserve(context: ProjectsContext, plan: ProjectPlan): Promise<void> {
  const { ref, secrets } = plan;
  await context.dataSource.transaction(async (manager) => {
    const own = { ref, sealedDataKey: secrets.sealedDataKey };
    const { affected } = await manager.delete(Project, own);
    if (affected === 1) await finishOperations(manager, ref, 'undone');
  });
}

// The names were free, so anything found under them later was made by this attempt and may be removed.
async function assertNamesFree(context: ProjectsContext, plan: ProjectPlan): Promise<void> {
  const { ref, databaseId } = plan;
  const names = namesOf(databaseId);
  if (hasFiles(context.dataDir, ref) || (await hasDatabaseObjects(context.server, names))) {
    throw fail('REF_TAKEN', { ref });
  }
}

async function copyTemplate(context: ProjectsContext, plan: ProjectPlan): Promise<void> {
  const template = templateName(context, plan.idType);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await createDatabase(context.server, namesOf(plan.databaseId).database, template);
      return;
    } catch (error) {
      const isUsable = !(await isUnusable(context, template, error));
      if (isUsable || attempt === maxCopyAttempts) throw error;
      await ensureTemplates(context);
    }
  }
}

/** Whether a copy has failed because of its template, which is then built again. */
async function isUnusable(
  { server }: ProjectsContext,
  template: string,
  error: unknown,
): Promise<boolean> {
  // Another release on the same server has started and dropped the templates of this one.
  if (error instanceof pg.DatabaseError && error.code === invalidCatalogName) return true;
  return withAdmin(server, undefined, (client) => isCollationRefusal(client, template, error));
}

async function activate(
  context: ProjectsContext,
  plan: OwnedPlan,
  onActive: (manager: EntityManager) => Promise<void>,
): Promise<void> {
  await context.dataSource.transaction(async (manager) => {
    const { ref, secrets } = plan;
    const own = { ref, sealedDataKey: secrets.sealedDataKey };
    const updated = await manager.update(Project, own, { status: 'active' });
    if (updated.affected !== 1) throw new Error('another process has removed the new project');
    await moveVersion(manager, ref);
    await onActive(manager);
    await finishOperations(manager, ref);
  });
}

/** The commit may have taken effect although its answer was lost: a project that is taken back is not active. */
async function deactivate(context: ProjectsContext, plan: OwnedPlan): Promise<void> {
  const { ref, secrets, organizationId, owner } = plan;
  await context.dataSource.transaction(async (manager) => {
    const own = { ref, sealedDataKey: secrets.sealedDataKey };
    const { affected } = await manager.update(
      Project,
      { ...own, status: 'active' },
      { status: 'creating' },
    );
    if (affected !== 1) return;
    await moveVersion(manager, ref);
    await startOperation(manager, { kind: 'create', ref, organizationId }, owner);
  });
}

/** The entry of the audit log for a new project. */
export async function recordCreation(
  manager: EntityManager,
  actor: AuditActor,
  plan: ProjectPlan,
): Promise<void> {
  await recordAudit(manager, {
    actor,
    action: 'project.create',
    organizationId: plan.organizationId,
    ref: plan.ref,
    target: plan.ref,
    after: { name: plan.name, idType: plan.idType },
  });
}

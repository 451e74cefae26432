import { hashProjectKey, newProjectKey } from '#libs/secrets';
import { createId } from '@paralleldrive/cuid2';
import { IsNull, type EntityManager } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { ProjectKey, type ProjectKeyKind } from '../entities/project-key.entity.js';
import { changeRecord } from './change-record.js';
import type { ProjectsContext } from './projects-context.js';

const hintLength = 4;

/** What may be shown of a key after it was made. */
export interface KeyView {
  readonly id: string;
  readonly kind: ProjectKeyKind;
  readonly hint: string;
  readonly createdAt: Date;
}

/** Stores the hash of a new key and gives the key, which nobody can read again. */
export async function addKey(
  manager: EntityManager,
  ref: string,
  kind: ProjectKeyKind,
): Promise<string> {
  const key = newProjectKey(kind);
  await manager.insert(ProjectKey, {
    id: createId(),
    ref,
    kind,
    hash: hashProjectKey(key),
    hint: key.slice(-hintLength),
    revokedAt: null,
  });
  return key;
}

/** Replaces the key of a kind: the old one is dead at once. */
export async function rotateKey(
  context: ProjectsContext,
  actor: AuditActor,
  input: { readonly ref: string; readonly kind: ProjectKeyKind },
): Promise<string> {
  const { ref, kind } = input;
  return changeRecord(context, ref, async (manager, project) => {
    const valid = { ref, kind, revokedAt: IsNull() };
    const old = await manager.find(ProjectKey, { where: valid });
    await manager.update(ProjectKey, valid, { revokedAt: new Date() });
    const key = await addKey(manager, ref, kind);
    await recordAudit(manager, {
      actor,
      action: 'project.rotate-key',
      organizationId: project.organizationId,
      ref,
      target: kind,
      before: { hints: old.map(({ hint }) => hint) },
      after: { hints: [key.slice(-hintLength)] },
    });
    return key;
  });
}

/** The valid keys of a project, without the keys themselves. */
export async function listKeys(context: ProjectsContext, ref: string): Promise<KeyView[]> {
  const keys = await context.dataSource.manager.find(ProjectKey, {
    where: { ref, revokedAt: IsNull() },
    order: { kind: 'ASC', createdAt: 'ASC' },
  });
  return keys.map(({ id, kind, hint, createdAt }) => ({ id, kind, hint, createdAt }));
}

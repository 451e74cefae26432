import { fail } from '#libs/errors';
import { hashProjectKey, newProjectKey } from '#libs/secrets';
import { createId } from '@paralleldrive/cuid2';
import { IsNull, MoreThan, type EntityManager } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { ProjectKey, type ProjectKeyKind } from '../entities/project-key.entity.js';
import { changeRecord } from './change-record.js';
import type { ProjectsContext } from './projects-context.js';

const hintLength = 4;
/** The most keys of one kind that a project may have at a time. */
const maxKeys = 20;

/** The public fields of a key. */
export interface KeyView {
  readonly id: string;
  readonly kind: ProjectKeyKind;
  readonly hint: string;
  readonly createdAt: Date;
  /** Null: the key does not expire. */
  readonly expiresAt: Date | null;
}

/** A new key: the only time that it can be read. */
export interface NewKey {
  readonly id: string;
  readonly kind: ProjectKeyKind;
  readonly key: string;
  readonly hint: string;
}

/** Stores the hash of a new key and returns the key, which cannot be read again. */
export async function addKey(
  manager: EntityManager,
  ref: string,
  kind: ProjectKeyKind,
): Promise<NewKey> {
  const key = newProjectKey(kind);
  const id = createId();
  const hint = key.slice(-hintLength);
  await manager.insert(ProjectKey, {
    id,
    ref,
    kind,
    hash: hashProjectKey(key),
    hint,
    expiresAt: null,
    revokedAt: null,
  });
  return { id, kind, key, hint };
}

/** The currently valid keys that `which` selects. */
function validKeys(which: Partial<Pick<ProjectKey, 'ref' | 'id' | 'kind'>>) {
  const unrevoked = { ...which, revokedAt: IsNull() };
  return [
    { ...unrevoked, expiresAt: IsNull() },
    { ...unrevoked, expiresAt: MoreThan(new Date()) },
  ];
}

async function requireRoom(
  manager: EntityManager,
  ref: string,
  kind: ProjectKeyKind,
): Promise<void> {
  if ((await manager.countBy(ProjectKey, validKeys({ ref, kind }))) < maxKeys) return;
  throw fail('CONFLICT', { reason: `A project has at most ${maxKeys} ${kind} keys` });
}

/** Adds a further key of a kind, for one more program. Throws CONFLICT if there are too many. */
export async function createKey(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, kind }: { readonly ref: string; readonly kind: ProjectKeyKind },
): Promise<NewKey> {
  return changeRecord(context, ref, async (manager, project) => {
    await requireRoom(manager, ref, kind);
    const made = await addKey(manager, ref, kind);
    const { organizationId } = project;
    const after = { hints: [made.hint] };
    const action = 'project.create-key';
    await recordAudit(manager, { actor, action, organizationId, ref, target: kind, after });
    return made;
  });
}

/**
 * Creates a new key of a kind. The old keys of that kind stay valid for at most `expiresInSeconds` more; 0 ends them at
 * once. Throws CONFLICT while too many old ones are valid.
 */
export async function rotateKey(
  context: ProjectsContext,
  actor: AuditActor,
  input: {
    readonly ref: string;
    readonly kind: ProjectKeyKind;
    readonly expiresInSeconds: number;
  },
): Promise<NewKey> {
  const { ref, kind, expiresInSeconds } = input;
  return changeRecord(context, ref, async (manager, project) => {
    const old = await manager.findBy(ProjectKey, { ref, kind, revokedAt: IsNull() });
    const end = new Date(Date.now() + expiresInSeconds * 1000);
    await (expiresInSeconds === 0
      ? manager.update(ProjectKey, { ref, kind, revokedAt: IsNull() }, { revokedAt: end })
      : manager.query(
          `update project_key set expires_at = least(expires_at, $3)
           where ref = $1 and kind = $2 and revoked_at is null`,
          [ref, kind, end],
        ));
    await requireRoom(manager, ref, kind);
    const made = await addKey(manager, ref, kind);
    await recordAudit(manager, {
      actor,
      action: 'project.rotate-key',
      organizationId: project.organizationId,
      ref,
      target: kind,
      before: { hints: old.map(({ hint }) => hint) },
      after: { hints: [made.hint], oldKeysEndAt: end },
    });
    return made;
  });
}

/** Ends a key now. Throws KEY_NOT_FOUND, and CONFLICT for the last key of its kind that does not expire. */
export async function revokeKey(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, id }: { readonly ref: string; readonly id: string },
): Promise<void> {
  await changeRecord(context, ref, async (manager, project) => {
    const key = await manager.findOne(ProjectKey, { where: validKeys({ ref, id }) });
    if (key === null) throw fail('KEY_NOT_FOUND');
    const { kind } = key;
    const endless = { ref, kind, revokedAt: IsNull(), expiresAt: IsNull() };
    if (key.expiresAt === null && (await manager.countBy(ProjectKey, endless)) === 1) {
      throw fail('CONFLICT', {
        reason: `This is the only ${kind} key that does not expire. Rotate it instead`,
      });
    }
    await manager.update(ProjectKey, { id }, { revokedAt: new Date() });
    const { organizationId } = project;
    const before = { kind, hint: key.hint };
    const action = 'project.revoke-key';
    await recordAudit(manager, { actor, action, organizationId, ref, target: id, before });
  });
}

/** The valid keys of a project, without the keys themselves. */
export async function listKeys(context: ProjectsContext, ref: string): Promise<KeyView[]> {
  const keys = await context.dataSource.manager.find(ProjectKey, {
    where: validKeys({ ref }),
    order: { kind: 'ASC', createdAt: 'ASC' },
  });
  return keys.map(({ id, kind, hint, createdAt, expiresAt }) => ({
    id,
    kind,
    hint,
    createdAt,
    expiresAt,
  }));
}

import { rotateSigningKeys } from '#libs/auth-engine';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

/** The key that tokens are signed with from now on. */
export interface RotatedKeys {
  readonly keyId: string;
  /** Until when tokens of the keys before still verify; null when there were none. */
  readonly oldKeysUntil: string | null;
}

/**
 * Makes a new key for signed tokens. The keys before it stay published for `graceDays`, by default as long as
 * the settings say.
 */
export async function rotateKeys(
  project: ProjectRuntime,
  actor: AuditActor,
  graceDays = project.settings.get('auth.tokens').graceDays,
): Promise<RotatedKeys> {
  // The rotation is a transaction of its own, because it waits for others that rotate at the same time.
  const { keyId, oldKeysUntil } = await rotateSigningKeys(project.db.enginePool, { graceDays });
  const after = { keyId, oldKeysUntil: oldKeysUntil?.toISOString() ?? null };
  await project.db.runAsEngine((tx) =>
    appendAudit(tx, {
      actor,
      action: 'auth.rotateKeys',
      target: 'jwks',
      before: undefined,
      after: { ...after, graceDays },
    }),
  );
  return after;
}

import { listSigningKeys } from '#libs/auth-engine';
import type { ProjectRuntime } from '#libs/project-runtime';

/** A key of signed tokens, without its private half. */
interface SigningKeyView {
  /** The `kid` of its tokens. */
  readonly keyId: string;
  readonly algorithm: string | null;
  readonly createdAt: Date;
  /** Until when tokens of a replaced key verify; null for the current one. */
  readonly publishedUntil: Date | null;
}

export interface SigningKeys {
  /** The current key first. Empty before the first token: the first request for one makes the key. */
  readonly keys: readonly SigningKeyView[];
  /** Lifetime of a token, in seconds. */
  readonly tokenSeconds: number;
  /** The age at which a key is replaced by itself; 0: it is not. */
  readonly rotateAfterDays: number;
  /** How long a replaced key stays published unless the rotation says otherwise. */
  readonly graceDays: number;
}

/** Returns the published keys of signed tokens, and the settings that decide about them. */
export async function readSigningKeys(project: ProjectRuntime): Promise<SigningKeys> {
  const { expiresIn, rotateAfterDays, graceDays } = project.settings.get('auth.tokens');
  const published = await listSigningKeys(project.db.enginePool);
  const keys = published.map(({ id, alg, createdAt, expiresAt }) => ({
    keyId: id,
    algorithm: alg,
    createdAt,
    publishedUntil: expiresAt,
  }));
  return { keys, tokenSeconds: expiresIn, rotateAfterDays, graceDays };
}

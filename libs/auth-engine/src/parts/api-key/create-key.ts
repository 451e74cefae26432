import { createHash } from 'node:crypto';
import { createId } from '@paralleldrive/cuid2';
import { sensitiveSessionMiddleware } from 'better-auth/api';
import { generateRandomString } from 'better-auth/crypto';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { inEngineTransaction } from '../../engine-pool.js';
import { readWantedKey, type WantedKey } from './key-input.js';
import { keyView } from './key-views.js';
import type { Fields } from '../../fields.js';

/** About 365 bits. */
const randomLetters = 64;
/** How much of a key lists show, so that its owner knows it again. */
const shownLetters = 6;

/** The hash under which a key is stored, and under which the lookup of a request finds it. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

export const createKeyPath = '/api-key/create';

/**
 * The endpoint that makes a key for the signed-in user and shows it this once. It takes the place of the
 * engine's, which cannot keep to a number of keys.
 */
export function createKey({ settings, pool }: AuthConfig) {
  const group = settings['auth.apiKey'];
  return endpoint(
    createKeyPath,
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const user: { readonly id: string } & Readonly<Record<string, unknown>> =
        ctx.context.session.user;
      // Guests go when they are not used, and their keys with them.
      if (user['isAnonymous'] === true) throw fail('PERMANENT_ACCOUNT_REQUIRED');
      const wanted = readWantedKey(body ?? {}, group);
      const { prefix, maxKeys } = group;
      const key = `${prefix}${generateRandomString(randomLetters, 'a-z', 'A-Z')}`;
      const row = await storeKey(pool, { wanted, key, prefix, userId: user.id, maxKeys });
      return ctx.json({ ...keyView(row), key });
    },
  );
}

interface NewKey {
  readonly wanted: WantedKey;
  readonly key: string;
  readonly prefix: string;
  readonly userId: string;
  readonly maxKeys: number;
}

const insertStatement = `
  insert into auth.apikey (id, "configId", name, start, prefix, key, "referenceId", enabled,
    "rateLimitEnabled", "requestCount", remaining, "refillAmount", "refillInterval", permissions,
    metadata, "expiresAt", "createdAt", "updatedAt")
  values ($1, 'default', $2, $3, $4, $5, $6, true, false, 0, $7, $8, $9, $10, $11,
    pg_catalog.now() + pg_catalog.make_interval(secs => $12), pg_catalog.now(), pg_catalog.now())
  returning *`;

async function storeKey(pool: AuthConfig['pool'], made: NewKey): Promise<Fields> {
  const { wanted, key, prefix, userId, maxKeys } = made;
  const { remaining, refillAmount, refillIntervalMs, permissions, metadata } = wanted;
  return inEngineTransaction(pool, async (run) => {
    // Keys of one user are made one after the other, so that they can be counted.
    await run('select from auth."user" where id = $1 for no key update', [userId]);
    const [counted] = await run<{ keys: number }>(
      `select pg_catalog.count(*)::pg_catalog.int4 as keys from auth.apikey
       where "referenceId" = $1::pg_catalog.text and ("expiresAt" is null or "expiresAt" > pg_catalog.now())`,
      [userId],
    );
    if ((counted?.keys ?? 0) >= maxKeys) throw fail('API_KEY_LIMIT_REACHED');
    const start = key.slice(0, prefix.length + shownLetters);
    const { name, lifeSeconds } = wanted;
    const identity: (string | number | null)[] = [
      createId(),
      name,
      start,
      prefix,
      hashKey(key),
      userId,
    ];
    const limits = [remaining, refillAmount, refillIntervalMs, permissions, metadata, lifeSeconds];
    const [row] = await run<Fields>(insertStatement, identity.concat(limits));
    if (!row) throw new Error('the key was not stored');
    return row;
  });
}

// What users change about themselves. It takes the place of the engine's own endpoint, which knows no metadata.
import { sessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { endpoint } from '../../endpoint.js';
import { inEngineTransaction, type EnginePool, type RunStatement } from '../../engine-pool.js';
import { mergedMetadata, metadataIn, type Metadata } from '../../metadata.js';
import { checkFields, UPDATE_FIELDS } from '../../sign-up-policy.js';
import { checkUsername } from '../../usernames.js';

/** A field that is absent stays as it is. */
interface Change {
  readonly name?: string;
  /** Null takes the picture away. */
  readonly image?: string | null;
  readonly username?: string;
  readonly metadata?: Metadata;
}

/**
 * The endpoint `POST /update-user`. `data` changes the user's metadata: its fields take the place of those that
 * there are, and null removes one.
 */
export function updateUser(pool: EnginePool) {
  return endpoint(
    '/update-user',
    { method: 'POST', use: [sessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const { id } = ctx.context.session.user;
      const change = changeIn(body);
      await inEngineTransaction(pool, (run) => writeChange(run, id, change));
      return ctx.json({ status: true });
    },
  );
}

function changeIn(body: unknown): Change {
  if (!isRecord(body) || Object.keys(body).length === 0) {
    throw fail('INVALID_INPUT', { field: 'body', reason: 'must name what to change' });
  }
  checkFields(body, UPDATE_FIELDS);
  checkUsername(body);
  const { name, image, username }: Readonly<Partial<Record<keyof Change, unknown>>> = body;
  const metadata = metadataIn(body, 'data');
  if (image !== undefined && image !== null && typeof image !== 'string') {
    throw fail('INVALID_INPUT', { field: 'image', reason: 'must be a text or null' });
  }
  if (name !== undefined && typeof name !== 'string') {
    throw fail('INVALID_INPUT', { field: 'name', reason: 'must be a text' });
  }
  return {
    ...(name !== undefined && { name }),
    ...(image !== undefined && { image }),
    ...(typeof username === 'string' && { username }),
    ...(metadata && { metadata }),
  };
}

async function writeChange(run: RunStatement, id: string, change: Change): Promise<void> {
  const [user] = await run<{ readonly user_metadata: Metadata }>(
    'select user_metadata from auth."user" where id = $1 for no key update',
    [id],
  );
  if (!user) throw fail('USER_INACTIVE');
  const { name, image, username, metadata } = change;
  const merged = metadata && mergedMetadata('data', user.user_metadata, metadata);
  await run(
    `update auth."user" set
       name = coalesce($2, name),
       image = case when $3 then $4 else image end,
       username = coalesce($5, username),
       user_metadata = coalesce($6, user_metadata),
       "updatedAt" = pg_catalog.now()
     where id = $1`,
    [id, name, image !== undefined, image, username, merged && JSON.stringify(merged)],
  );
}

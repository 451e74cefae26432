// Tokens of a bucket: a request that sends one may write, read or delete files of the bucket. The database holds their
// hashes. A deleted or expired token stops working with the next request, because every request looks its token up.
import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import { isUuid } from '#libs/storage-rules';

import { newBucketToken } from '../core/bucket-token.js';
import { fallbackSlugs } from '../core/buckets.js';
import { parseSlug } from '../core/locate.js';
import { findBucketView } from './buckets.sql.js';
import type { CreateTokenBody } from './tokens.dto.js';
import { deleteTokenRow, insertToken, listTokens, type TokenView } from './tokens.sql.js';

/** A token when it is made: it is shown this once. */
export interface CreatedToken extends TokenView {
  readonly token: string;
}

/** Throws BUCKET_NOT_FOUND. */
export function readTokens(
  project: ProjectRuntime,
  slugText: string,
): Promise<readonly TokenView[]> {
  const slug = parseSlug(slugText);
  return project.db.runAsEngine(async (tx) => {
    if (!(await findBucketView(tx, slug))) throw fail('BUCKET_NOT_FOUND', { slug });
    return listTokens(tx, slug);
  });
}

/** Throws BUCKET_NOT_FOUND and BUCKET_PROTECTED. */
export async function createToken(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug: slugText, body }: { readonly slug: string; readonly body: CreateTokenBody },
): Promise<CreatedToken> {
  const slug = parseSlug(slugText);
  if (fallbackSlugs.has(slug)) throw fail('BUCKET_PROTECTED', { slug });
  const { token, hash, start } = newBucketToken();
  const { name, kind, expiresIn: expiresInSeconds } = body;
  const createdBy = actor.email ?? actor.id ?? actor.kind;
  const view = await project.db.runAsEngine(async (tx) => {
    const made = await insertToken(tx, {
      bucket: slug,
      name,
      kind,
      hash,
      start,
      expiresInSeconds,
      createdBy,
    });
    if (!made) throw fail('BUCKET_NOT_FOUND', { slug });
    await appendAudit(tx, {
      actor,
      action: 'bucketToken.create',
      target: slug,
      before: null,
      after: made,
    });
    return made;
  });
  return { ...view, token };
}

/** Throws TOKEN_NOT_FOUND, also if the bucket does not exist. */
export function deleteToken(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug, id }: { readonly slug: string; readonly id: string },
): Promise<void> {
  const bucket = parseSlug(slug);
  if (!isUuid(id)) throw fail('TOKEN_NOT_FOUND');
  return project.db.runAsEngine(async (tx) => {
    const before = await deleteTokenRow(tx, bucket, id);
    if (!before) throw fail('TOKEN_NOT_FOUND');
    await appendAudit(tx, {
      actor,
      action: 'bucketToken.delete',
      target: bucket,
      before,
      after: null,
    });
  });
}

// Tokens of a bucket, for programs that are not users of the project: each lets its bearer write, read or delete the
// files of one bucket. Only their hashes are stored.
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

export const TOKEN_KINDS = ['write', 'read', 'delete'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

const prefix = 'svc_bkt_';
const secretBytes = 32;
/** What lists show of a token. */
const startLetters = prefix.length + 4;

export interface NewBucketToken {
  /** Shown once. */
  readonly token: string;
  readonly hash: Buffer;
  readonly start: string;
}

export function newBucketToken(): NewBucketToken {
  const token = prefix + randomBytes(secretBytes).toString('base64url');
  return { token, hash: hashOf(token), start: token.slice(0, startLetters) };
}

/** The token of a request, in `x-bucket-token` or as bearer. */
export function bucketTokenOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-bucket-token'];
  if (typeof own === 'string') return own.trim();
  const bearer = /^Bearer +(svc_bkt_\S+) *$/i.exec(headers.authorization ?? '');
  return bearer?.[1];
}

/**
 * Lets a token pass that opens the bucket for this. Throws BUCKET_TOKEN_REQUIRED and INVALID_BUCKET_TOKEN (401),
 * the latter also for a token of another bucket, and BUCKET_TOKEN_KIND (403).
 */
export async function requireBucketToken(
  project: ProjectRuntime,
  asked: { readonly slug: string; readonly token: string | undefined; readonly kind: TokenKind },
): Promise<void> {
  const { slug, token, kind } = asked;
  if (token === undefined) throw fail('BUCKET_TOKEN_REQUIRED', { kind });
  const [found] = await project.db.queryAsEngine<FoundToken>(findToken, [hashOf(token), slug]);
  if (!found) throw fail('INVALID_BUCKET_TOKEN');
  if (found.is_use_old) await project.db.queryAsEngine(noteUse, [found.id]);
  if (found.kind !== kind) throw fail('BUCKET_TOKEN_KIND', { kind, given: found.kind });
}

interface FoundToken {
  readonly id: string;
  readonly kind: TokenKind;
  readonly is_use_old: boolean;
}

const isUseOld = `last_used_at is null
  or last_used_at operator(pg_catalog.<) (pg_catalog.now() operator(pg_catalog.-) interval '1 minute')`;

const findToken = `select id, kind, ${isUseOld} as is_use_old
  from storage.access_tokens
  where token_hash operator(pg_catalog.=) $1 and bucket operator(pg_catalog.=) $2
    and (expires_at is null or expires_at operator(pg_catalog.>) pg_catalog.now())`;

/** Once a minute is enough to see which tokens are in use. */
const noteUse = `update storage.access_tokens set last_used_at = pg_catalog.now()
  where id operator(pg_catalog.=) $1 and (${isUseOld})`;

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

import type { Transaction } from '#libs/database';

import type { TokenKind } from '../core/bucket-token.js';
import { isoTime } from '../core/stored-file.js';

/** A token of a bucket without its secret part. */
export interface TokenView {
  readonly id: string;
  readonly name: string;
  readonly kind: TokenKind;
  /** Its first characters. */
  readonly start: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

export interface NewToken {
  readonly bucket: string;
  readonly name: string;
  readonly kind: TokenKind;
  readonly hash: Buffer;
  readonly start: string;
  readonly expiresInSeconds: number | undefined;
  readonly createdBy: string;
}

interface ViewRow {
  readonly token: TokenView;
}

const view = `pg_catalog.json_build_object(
  'id', t.id, 'name', t.name, 'kind', t.kind, 'start', t.start, 'expiresAt', t.expires_at,
  'lastUsedAt', t.last_used_at, 'createdAt', t.created_at
) as token`;

function viewOf({ token }: ViewRow): TokenView {
  const { expiresAt, lastUsedAt, createdAt } = token;
  return {
    ...token,
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
    createdAt: isoTime(createdAt),
  };
}

/** The newest first. */
export async function listTokens(tx: Transaction, bucket: string): Promise<TokenView[]> {
  const { rows } = await tx.query<ViewRow>(
    `select ${view} from storage.access_tokens t
     where t.bucket operator(pg_catalog.=) $1 order by t.created_at desc, t.id`,
    [bucket],
  );
  return rows.map(viewOf);
}

/** Undefined if the bucket does not exist. */
export async function insertToken(
  tx: Transaction,
  { bucket, name, kind, hash, start, expiresInSeconds, createdBy }: NewToken,
): Promise<TokenView | undefined> {
  // The bucket is held, so that its deletion waits instead of meeting the foreign key.
  const { rows } = await tx.query<ViewRow>(
    `with held as (select slug from storage.buckets where slug operator(pg_catalog.=) $1 for key share)
     insert into storage.access_tokens as t (bucket, name, kind, token_hash, start, expires_at, created_by)
     select slug, $2, $3, $4, $5,
       pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $6::pg_catalog.float8), $7
     from held
     returning ${view}`,
    [bucket, name, kind, hash, start, expiresInSeconds ?? null, createdBy],
  );
  return rows[0] && viewOf(rows[0]);
}

/** The deleted token; undefined if the bucket has no token with this id. */
export async function deleteTokenRow(
  tx: Transaction,
  bucket: string,
  id: string,
): Promise<TokenView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `delete from storage.access_tokens t where t.bucket operator(pg_catalog.=) $1
      and t.id operator(pg_catalog.=) $2::pg_catalog.uuid returning ${view}`,
    [bucket, id],
  );
  return rows[0] && viewOf(rows[0]);
}

// Finds files, for callers under their policies and for the platform without. A request names a file by its id,
// or by bucket and key; a key in the form of a UUID is first taken for an id in that bucket.
import type { TableRequest } from '#libs/database';
import { fail } from '#libs/errors';
import { isUuid, parseBucketSlug, parseObjectKey } from '#libs/storage-rules';
import type { Credential } from '#libs/wire';

import type { AskedDatabase } from './asked-database.js';
import { fallbackSlugs } from './buckets.js';
import { fileJson, followsBucketOf, readStoredFile, type StoredFile } from './stored-file.js';

export type Locator =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'key'; readonly bucket: string; readonly key: string };

export type FileReader =
  | {
      readonly kind: 'caller';
      readonly credential: Credential;
      /** The client that waits for the answer. */
      readonly client?: TableRequest['client'];
    }
  /** Rights were checked by other means: a token, a link, or that the file is public. */
  | { readonly kind: 'platform' };

/**
 * The slug of a bucket that a request names, the platform's own among them.
 * Throws INVALID_BUCKET_SLUG (400).
 */
export function parseSlug(text: string): string {
  return fallbackSlugs.has(text) ? text : parseBucketSlug(text);
}

/** What a bucket and a path name. Throws INVALID_BUCKET_SLUG and INVALID_OBJECT_KEY (400). */
export function parseLocator(bucket: string, path: string): Locator {
  return { kind: 'key', bucket: parseSlug(bucket), key: parseObjectKey(path) };
}

/** What an id names. Throws FILE_NOT_FOUND for text that is no UUID. */
export function parseFileId(text: string): Locator {
  if (!isUuid(text)) throw fail('FILE_NOT_FOUND');
  return { kind: 'id', id: text.toLowerCase() };
}

const ownServer: Omit<Extract<FileReader, { kind: 'caller' }>, 'kind'> = {
  credential: { kind: 'secret-key' },
};

/**
 * The file, in one round trip; undefined when there is none, or none that the caller may see. Throws UNAUTHORIZED
 * (401) for callers who are neither signed in nor the project's own server, USER_INACTIVE.
 */
export async function findFile(
  project: AskedDatabase,
  reader: FileReader,
  locator: Locator,
): Promise<StoredFile | undefined> {
  const { condition, values } = conditionOf(locator);
  // One row is found by an index: a join would have to be planned, and started each time.
  const isBucketPublic =
    '(select b.public from storage.buckets b where b.slug operator(pg_catalog.=) f.bucket)';
  const text = `select ${fileJson('f', { isBucketPublic, followsBucket: followsBucketOf('f', isBucketPublic) })} from storage.files f ${condition}`;
  // The project's own server is bound by no policy, and its lookups share connections with those of callers.
  const { credential, client } = reader.kind === 'caller' ? reader : ownServer;
  const queries = [{ text, values }];
  const reply = await project.db.runTable({ credential, client, queries, readOnly: true });
  if (reply.role === 'anon') throw fail('UNAUTHORIZED');
  const rows = reply.results[0]?.rows;
  if (!rows || rows.count === 0) return undefined;
  return readStoredFile(JSON.parse(rows.first(0).toString('utf8')));
}

/** The same; throws FILE_NOT_FOUND (404) too. */
export async function getFile(
  project: AskedDatabase,
  reader: FileReader,
  locator: Locator,
): Promise<StoredFile> {
  const file = await findFile(project, reader, locator);
  if (!file) throw fail('FILE_NOT_FOUND');
  return file;
}

function conditionOf(locator: Locator): {
  readonly condition: string;
  readonly values: readonly string[];
} {
  if (locator.kind === 'id')
    return { condition: 'where f.id operator(pg_catalog.=) $1', values: [locator.id] };
  const { bucket, key } = locator;
  if (!isUuid(key)) {
    const condition =
      'where f.bucket operator(pg_catalog.=) $1 and f.key operator(pg_catalog.=) $2';
    return { condition, values: [bucket, key] };
  }
  return {
    condition: `where f.bucket operator(pg_catalog.=) $1
      and (f.id operator(pg_catalog.=) $2::pg_catalog.uuid or f.key operator(pg_catalog.=) $3)
      order by f.id operator(pg_catalog.=) $2::pg_catalog.uuid desc limit 1`,
    values: [bucket, key, key],
  };
}

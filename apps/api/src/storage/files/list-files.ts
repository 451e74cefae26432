import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { parseKeyPrefix } from '#libs/storage-rules';

import { page, type PageEnvelope } from '../core/answers.js';
import { type FileView, fileView } from '../core/file-view.js';
import { type FileReader, parseSlug } from '../core/locate.js';
import { readStoredFile } from '../core/stored-file.js';
import { type Direction, type FileOrder, listText } from './list-files.sql.js';

export interface FileListing {
  readonly bucket: string;
  /** Begins the keys that are listed; whole segments. Empty: the bucket. */
  readonly prefix: string;
  /** Part of the name, in small or capital letters. */
  readonly search?: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: FileOrder;
  readonly order: Direction;
  /** All files below the prefix, and no folders. */
  readonly recursive: boolean;
}

export type FileEntry =
  | { readonly kind: 'folder'; readonly name: string; readonly key: string; readonly id: null }
  | ({ readonly kind: 'file' } & FileView);

export type FilePage = PageEnvelope<FileEntry>;

/** What the statement answers with. */
interface FoundPage {
  readonly hasBucket: boolean;
  readonly total: number;
  readonly folders: readonly string[];
  readonly files: readonly unknown[];
}

/**
 * A page of the folders and files that the reader may see, folders first. Throws UNAUTHORIZED (401) for callers
 * who are signed out, BUCKET_NOT_FOUND (404), INVALID_BUCKET_SLUG and INVALID_OBJECT_KEY (400).
 */
export async function listFiles(
  project: ProjectRuntime,
  reader: FileReader,
  listing: FileListing,
): Promise<FilePage> {
  const slug = parseSlug(listing.bucket);
  const prefix = parseKeyPrefix(listing.prefix);
  const { search, limit, offset } = listing;
  const text = listText({
    reader: reader.kind,
    isRecursive: listing.recursive,
    order: listing.sortBy,
    direction: listing.order,
  });
  const values = [slug, prefix, endOf(prefix), search || null, String(limit), String(offset)];
  const found = await readPage(project, reader, { text, values });
  if (!found.hasBucket) throw fail('BUCKET_NOT_FOUND', { slug });
  const folders = found.folders.map(
    (name) => ({ kind: 'folder', name, key: `${prefix}${name}/`, id: null }) as const,
  );
  const files = found.files.map(
    (file) => ({ kind: 'file', ...fileView(project, readStoredFile(file)) }) as const,
  );
  return page([...folders, ...files], found.total);
}

/** What comes right behind all keys of a folder: `0` is the letter after the slash. Null: nothing does. */
function endOf(prefix: string): string | null {
  return prefix === '' ? null : `${prefix.slice(0, -1)}0`;
}

async function readPage(
  project: ProjectRuntime,
  reader: FileReader,
  query: { readonly text: string; readonly values: readonly (string | null)[] },
): Promise<FoundPage> {
  if (reader.kind === 'platform') {
    const [row] = await project.db.queryAsEngine<{ page: FoundPage }>(query.text, query.values);
    if (row) return row.page;
    throw new Error('A listing has one row');
  }
  const { credential, client } = reader;
  const queries = [query];
  const reply = await project.db.runTable({ credential, client, queries, readOnly: true });
  if (reply.role === 'anon') throw fail('UNAUTHORIZED');
  const rows = reply.results[0]?.rows;
  if (!rows || rows.count !== 1) throw new Error('A listing has one row');
  // Written by the statement, as above.
  return JSON.parse(rows.first(0).toString('utf8')) as FoundPage;
}

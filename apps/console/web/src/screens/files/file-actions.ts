// What operators do with files and folders, one or many. The server changes one file with a request, and a folder is
// every file in it.
import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { download } from '../../ui/download.js';
import { type BulkResult, forEachOf } from '../users/bulk.js';
import { folderOf, movedKey } from './names.js';
import {
  copyFile,
  type Entry,
  type FileFacts,
  isPublicFile,
  maxPage,
  moveFile,
  readBytes,
  readFilesBelow,
  removeFiles,
} from './queries.js';

/** A file that becomes, or is copied to, another key. */
export interface Move {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Larger files are saved from a link of the project, by the browser itself. */
const maxSavedBytes = 100_000_000;
const linkSeconds = '300';

/** The moves that put entries into another folder, with everything in their folders. */
export async function movesInto(
  ref: string,
  bucket: string,
  entries: readonly Entry[],
  target: string,
): Promise<readonly Move[]> {
  const found = await Promise.all(
    entries.map(async (entry) => {
      const from = folderOf(entry.key);
      const files = entry.kind === 'file' ? [entry] : await readFilesBelow(ref, bucket, entry.key);
      return files.map(({ id, key }) => ({ id, from: key, to: movedKey(key, from, target) }));
    }),
  );
  return found.flat();
}

/** The moves that give one entry another key; everything in a folder goes with it. */
export async function movesTo(
  ref: string,
  bucket: string,
  entry: Entry,
  key: string,
): Promise<readonly Move[]> {
  if (entry.kind === 'file') return [{ id: entry.id, from: entry.key, to: key }];
  const files = await readFilesBelow(ref, bucket, entry.key);
  return files.map((file) => ({
    id: file.id,
    from: file.key,
    to: movedKey(file.key, entry.key, key),
  }));
}

export interface BulkMove {
  readonly ref: string;
  readonly bucket: string;
  readonly kind: 'move' | 'copy';
  readonly upsert: boolean;
}

/** Moves or copies files, also when some fail. */
export function runMoves(
  { ref, bucket, kind, upsert }: BulkMove,
  moves: readonly Move[],
  onProgress: (ended: number) => void,
): Promise<BulkResult<Move>> {
  const run = kind === 'move' ? moveFile : copyFile;
  return forEachOf(
    moves.filter(({ from, to }) => from !== to),
    ({ id, to }) => run(ref, { bucket, from: id, to, upsert }),
    onProgress,
  );
}

/** All files of entries, with those in folders. */
export async function filesOf(
  ref: string,
  bucket: string,
  entries: readonly Entry[],
): Promise<readonly { readonly id: string; readonly size: number }[]> {
  const found = await Promise.all(
    entries.map(async (entry) =>
      entry.kind === 'file' ? [entry] : readFilesBelow(ref, bucket, entry.key),
    ),
  );
  return found.flat();
}

/** Deletes files in as few requests as there can be. */
export async function deleteFiles(
  ref: string,
  bucket: string,
  ids: readonly string[],
  onProgress: (ended: number) => void,
): Promise<void> {
  for (let at = 0; at < ids.length; at += maxPage) {
    // One after the other: each holds the files that it deletes.
    await removeFiles(ref, bucket, ids.slice(at, at + maxPage));
    onProgress(Math.min(ids.length, at + maxPage));
  }
}

/** Saves a file on the person's device. The browser learns no type of it, so that it never shows it. */
export async function saveFile(ref: string, file: FileFacts): Promise<void> {
  if (file.size > maxSavedBytes) {
    const { url, expiresAt } = await linkTo(ref, file.id, { expiresIn: linkSeconds, download: '' });
    // Without links the address is for callers with rights, which a browser does not have.
    if (expiresAt !== null || isPublicFile(file)) {
      const link = document.createElement('a');
      link.href = url;
      link.rel = 'noreferrer';
      link.click();
      return;
    }
  }
  download(file.name, 'application/octet-stream', [await readBytes(ref, file)]);
}

/** Saves several files, one after the other. */
export async function saveFiles(ref: string, files: readonly FileFacts[]): Promise<void> {
  for (const file of files) {
    // The browser would leave out some of many that come at once.
    await saveFile(ref, file);
  }
}

/** An address of a file; `query` has `expiresIn` in seconds, `download`, and what an image is made like. */
export async function linkTo(
  ref: string,
  id: string,
  query: Readonly<Record<string, string>>,
): Promise<ProjectSchemas['FileUrl']> {
  const params = { path: { id }, query };
  return (await answer(projectApi(ref).GET('/api/files/{id}/url', { params }))).data;
}

export const changeFile = (ref: string, id: string, body: ProjectSchemas['ChangeFileBody']) =>
  answer(projectApi(ref).PATCH('/api/files/{id}', { params: { path: { id } }, body }));

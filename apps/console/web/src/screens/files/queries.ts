// What the screen reads and changes of the files of a project.
import { queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas, sendPlain } from '../../api/client.js';
import { parseJson } from '../../api/json.js';
import { projectPath } from '../../api/place.js';
import { problemOf } from '../../api/problem.js';
import { refreshMs } from '../../api/refresh.js';
import type { Order } from './search.js';

/** Files that are read or deleted with one request at most. */
export const maxPage = 1000;

export type Bucket = ProjectSchemas['BucketView'];
/** A folder or a file, as the list has it. */
export type Entry = Awaited<ReturnType<typeof readEntries>>['data'][number];
export type FileEntry = Extract<Entry, { readonly kind: 'file' }>;
export type FileFacts = ProjectSchemas['FileView'];

/** Which files of a bucket are listed, in which order. */
export interface Listing {
  readonly ref: string;
  readonly bucket: string;
  /** Empty, or with a slash at the end. */
  readonly folder: string;
  readonly search: string | undefined;
  readonly order: Order;
}

export const filesKey = (ref: string) => ['projects', ref, 'files'] as const;
/** Of bytes and of what they are made into: a version of a file never changes. */
export const contentKey = (ref: string) => ['projects', ref, 'file-content'] as const;
export const bucketsKey = (ref: string) => [...filesKey(ref), 'buckets'] as const;
export const entriesKey = (ref: string, bucket: string) =>
  [...filesKey(ref), 'entries', bucket] as const;

export const bucketsQuery = (ref: string) =>
  queryOptions({
    queryKey: bucketsKey(ref),
    queryFn: async () => {
      const params = { query: { hidden: 'true' as const } };
      const reply = await answer(projectApi(ref).GET('/api/admin/storage/buckets', { params }));
      return reply.data;
    },
    refetchInterval: refreshMs,
    retry: false,
  });

export const fileQuery = (ref: string, id: string) =>
  queryOptions({
    queryKey: [...filesKey(ref), 'one', id],
    queryFn: async () => {
      const params = { path: { id } };
      return (await answer(projectApi(ref).GET('/api/files/{id}', { params }))).data;
    },
    refetchInterval: refreshMs,
    retry: false,
  });

/** The parameters of a page of a listing, also for the command that repeats it. */
export function pageQuery(
  { folder, search, order }: Listing,
  page: { limit: number; offset: number },
) {
  return {
    ...(folder !== '' && { prefix: folder }),
    ...(search !== undefined && search !== '' && { search }),
    sortBy: order.field,
    order: order.direction,
    ...page,
  };
}

/** A page of the folders and files right below a folder, folders first. */
export function readEntries(
  listing: Listing,
  page: { readonly limit: number; readonly offset: number },
  signal?: AbortSignal,
) {
  const params = { path: { slug: listing.bucket }, query: pageQuery(listing, page) };
  return answer(
    projectApi(listing.ref).GET('/api/admin/storage/buckets/{slug}/files', {
      params,
      ...(signal && { signal }),
    }),
  );
}

/** All folders and files of a listing. */
export async function readAllEntries(listing: Listing): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    // Each page begins where the one before has ended.
    const { data } = await readEntries(listing, { limit: maxPage, offset: entries.length });
    entries.push(...data);
    if (data.length < maxPage) return entries;
  }
}

/** All files below a folder, also those in folders within it. */
export async function readFilesBelow(
  ref: string,
  bucket: string,
  folder: string,
): Promise<readonly FileEntry[]> {
  const files: FileEntry[] = [];
  for (;;) {
    const page = { limit: maxPage, offset: files.length };
    const query = { prefix: folder, recursive: 'true', sortBy: 'key', ...page } as const;
    const params = { path: { slug: bucket }, query };
    const { data } = await answer(
      projectApi(ref).GET('/api/admin/storage/buckets/{slug}/files', { params }),
    );
    files.push(...data.filter((entry) => entry.kind === 'file'));
    if (data.length < maxPage) return files;
  }
}

export interface Relocation {
  readonly bucket: string;
  /** The id of a file. */
  readonly from: string;
  readonly to: string;
  readonly upsert: boolean;
}

export const moveFile = (ref: string, body: Relocation) =>
  answer(projectApi(ref).POST('/api/files/move', { body }));

export const copyFile = (ref: string, body: Relocation) =>
  answer(projectApi(ref).POST('/api/files/copy', { body }));

/** Deletes files by their ids, at most {@link maxPage}. */
export const removeFiles = (ref: string, bucket: string, paths: string[]) =>
  answer(projectApi(ref).POST('/api/files/remove', { body: { bucket, paths } }));

/** The path of a request to a project's API on the host of the console. */
export const proxied = (ref: string, path: string): string => projectPath(ref, `/api${path}`);

/** The bytes of a file, or the first `maxBytes` of them. */
export async function readBytes(
  ref: string,
  { id, size }: Pick<FileFacts, 'id' | 'size'>,
  options: { readonly maxBytes?: number; readonly signal?: AbortSignal } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes, signal } = options;
  const isPart = maxBytes !== undefined && maxBytes < size;
  const response = await sendPlain(proxied(ref, `/files/${encodeURIComponent(id)}/raw`), {
    ...(isPart && { headers: { range: `bytes=0-${maxBytes - 1}` } }),
    ...(signal && { signal }),
  });
  return bytesOf(response);
}

/** The bytes of an answer. Throws Problem for an error. */
export async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  throw problemOf(response, parseJson(await response.text()));
}

/** Whether everybody may read the file: the server then gives its public address. */
export function isPublicFile({ url }: Pick<FileFacts, 'url'>): boolean {
  return new URL(url).pathname.startsWith('/api/storage/');
}

/**
 * A file as one request. The content is the body of a PUT rather than part of a form: then it can have any length, the
 * runtime streams it from disk, a header contains its length, and the server need not parse it. Only a form that the
 * caller has made is sent as a form.
 */
import { toJson } from '../body.js';
import { isBrowser } from '../page.js';
import { type Exchange, isStream, type RequestBody } from '../request.js';
import { askData, encodePath, encodeSlug, known } from './call.js';
import type {
  FileOptions,
  RepeatableBody,
  StorageFile,
  UploadBody,
  UploadedFile,
  UploadOptions,
  UploadProgress,
} from './types.js';

export interface FilePlace {
  readonly bucket: string;
  readonly path: string;
}

/** The least time between two reports of an upload. */
const sliceBytes = 256 * 1024;

/** The options of every upload. */
export const fileOptions = [
  'visibility',
  'upsert',
  'contentType',
  'cacheControl',
  'metadata',
] as const satisfies readonly (keyof FileOptions)[];

type Report = (progress: UploadProgress) => unknown;

/** Sends a file and returns its description. */
export async function sendFile(
  exchange: Exchange,
  { bucket, path }: FilePlace,
  body: UploadBody,
  options: UploadOptions & { readonly ifMatch?: string | undefined },
): Promise<UploadedFile> {
  const names = ['signal', 'onProgress', 'ifMatch'] as const;
  const { signal, onProgress, ifMatch } = known(options, [...fileOptions, ...names]);
  const condition = ifMatch !== undefined && { 'if-match': ifMatch };
  const query = fieldsOfFile(options);
  if (isForm(body)) {
    const route = ['POST', '/api/files/'] as const;
    const headers = { ...condition };
    const form = { query: { bucket, path, ...query }, body, signal, headers };
    return placeOf(await askData<StorageFile>(exchange, route, form), bucket);
  }
  const [content, length] = contentOf(body, onProgress);
  const file = await askData<StorageFile>(
    exchange,
    ['PUT', `/api/files/object/${encodeSlug(bucket)}/${encodePath(path)}`],
    {
      query,
      body: content,
      headers: {
        'content-type': typeOf(body, options.contentType),
        ...condition,
        ...(length !== undefined && { 'content-length': String(length) }),
      },
      signal,
    },
  );
  onProgress?.({ loaded: file.size, total: file.size });
  return placeOf(file, bucket);
}

/** The options of a file as form fields. */
export function fieldsOfFile(options: FileOptions): object {
  const { visibility, upsert, cacheControl, metadata } = options;
  return {
    visibility,
    upsert,
    cacheControl,
    metadata: metadata && toJson(metadata),
  };
}

/** Where a new file is, for the user who has uploaded it. */
export function placeOf(
  { key, id }: Pick<StorageFile, 'key' | 'id'>,
  bucket: string,
): UploadedFile {
  return { path: key, id, fullPath: `${bucket}/${key}` };
}

/** The media type of content. */
export function typeOf(body: UploadBody, contentType: string | undefined): string {
  const own = typeof body === 'string' ? 'text/plain;charset=UTF-8' : isBlob(body) && body.type;
  return contentType ?? (own || 'application/octet-stream');
}

/** Content that can be cut into parts, with its media type. */
export function blobOf(body: RepeatableBody): Blob {
  return isBlob(body) ? body : new Blob([body], { type: typeOf(body, undefined) });
}

function isForm(body: UploadBody): body is FormData {
  return typeof body === 'object' && 'append' in body;
}

/** A file of another frame is not an instance of this frame's `Blob`. */
function isBlob(body: UploadBody): body is Blob {
  return typeof body === 'object' && 'slice' in body && 'stream' in body;
}

/**
 * The body to send, and its length if the runtime does not know it. Browsers send no streams, so no progress can be
 * reported there while content is sent.
 */
function contentOf(
  body: Exclude<UploadBody, FormData>,
  report: Report | undefined,
): readonly [RequestBody, number?] {
  if (!report || isBrowser()) return [body];
  if (isStream(body)) return [counted(body, undefined, report)];
  const blob = blobOf(body);
  return [counted(slices(blob), blob.size, report), blob.size];
}

/** A blob in small parts. Its own stream has a single part if it is in memory, so no progress could be reported. */
function slices(blob: Blob): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      const part = await blob.slice(at, (at += sliceBytes)).arrayBuffer();
      if (part.byteLength > 0) controller.enqueue(new Uint8Array(part));
      if (at >= blob.size) controller.close();
    },
  });
}

function counted(
  stream: ReadableStream<Uint8Array>,
  total: number | undefined,
  report: Report,
): ReadableStream<Uint8Array> {
  let loaded = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      report({ loaded, total });
      controller.enqueue(chunk);
    },
  });
  return stream.pipeThrough(counter);
}

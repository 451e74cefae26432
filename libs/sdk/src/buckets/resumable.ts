/**
 * Uploads in parts that continue after a failure, a pause or a reload: TUS 1.0 (core protocol and creation), as far as
 * a client of one server needs it. The name of an upload is the id of a reservation; `finalize` returns the description
 * of its file, and may be repeated.
 */
import { refusal } from '../answer.js';
import { RowhouseError } from '../error.js';
import type { Exchange, WireAnswer } from '../request.js';
import { defaultRetryPolicy, withRetries } from '../retry.js';
import { memoryStorage, type SessionStorage } from '../storage.js';
import { ask, finalize, known } from './call.js';
import type { ResumableOptions, StorageFile } from './types.js';
import { type FilePlace, fieldsOfFile, fileOptions, typeOf } from './upload.js';

export interface ResumableParts {
  readonly exchange: Exchange;
  /** Stores the ids of unfinished uploads. */
  readonly storage: SessionStorage;
  /** Prefix of the names of all stored values. */
  readonly storageKey: string;
}

/** The progress of an upload: the bytes that the server has, or the created file. */
type State = number | StorageFile;

interface Upload {
  readonly exchange: Exchange;
  readonly id: string;
  readonly blob: Blob;
  readonly options: ResumableOptions;
}

const base = '/api/files/resumable';
const protocol = { 'tus-resumable': '1.0.0' };
const defaultChunkSize = 8 * 1024 * 1024;
/** A part is retried for about ten seconds before the call fails; calling again continues. */
const retryPolicy = { ...defaultRetryPolicy, maxRetries: 6, maxPauseMs: 5_000 };
/** The server timed out, has another offset, is still writing earlier bytes, or is overloaded. */
const passing = new Set([408, 409, 423, 429]);
/** The upload has ended, or belongs to another user. */
const gone = new Set([403, 404, 410]);
/** Ids for content without a name: another blob of the same size is other content. */
const unnamed = new WeakMap<Blob, SessionStorage>();

/** Sends the missing parts of a file, and returns where it is. */
export async function sendInParts(
  parts: ResumableParts,
  place: FilePlace,
  blob: Blob,
  options: ResumableOptions,
): Promise<Pick<StorageFile, 'id' | 'key'>> {
  known(options, [...fileOptions, 'signal', 'onProgress', 'chunkSize', 'fingerprint']);
  const memo = memoOf(parts, place, blob, options.fingerprint);
  let upload: Upload = { exchange: parts.exchange, id: await memo.read(), blob, options };
  let state = upload.id ? await findState(upload) : undefined;
  if (state === undefined) {
    upload = { ...upload, id: await create(upload, place) };
    await memo.write(upload.id);
    state = 0;
  }
  while (typeof state === 'number' && state < blob.size) {
    options.onProgress?.({ loaded: state, total: blob.size });
    // Each part begins where the previous one ended.
    state = await sendPart(upload, state);
  }
  const file = typeof state === 'object' ? state : await findFile(upload);
  await memo.write('');
  options.onProgress?.({ loaded: blob.size, total: blob.size });
  // A user who may add files but not see them receives no description. The file exists nevertheless, under the upload's
  // id.
  return file ?? { id: upload.id, key: place.path };
}

async function create(upload: Upload, { bucket, path }: FilePlace): Promise<string> {
  const { exchange, blob, options } = upload;
  const fields = {
    bucket,
    path,
    filename: path.slice(path.lastIndexOf('/') + 1),
    contentType: typeOf(blob, options.contentType),
    ...fieldsOfFile(options),
  };
  const { status, headers } = await ask(exchange, ['POST', base], {
    headers: {
      ...protocol,
      'upload-length': String(blob.size),
      'upload-metadata': metadataText(fields),
    },
    signal: options.signal,
  });
  // Only the id is used: whatever host the address names, the session is sent to the project only.
  const [, id] = /([^/?#]+)\/?$/.exec(headers.get('location') ?? '') ?? [];
  if (id !== undefined) return id;
  throw new RowhouseError('The answer contains no upload', { status, code: '' });
}

/** The state of an upload that was begun before; undefined if the server no longer knows it. */
async function findState(upload: Upload): Promise<State | undefined> {
  const answer = await withRetries(() => askOffset(upload), retryPolicy, upload.options.signal);
  return gone.has(answer.status) ? findFile(upload) : offsetOf(answer);
}

/**
 * Sends one part and returns the state after it. After a failure only the server knows how much has arrived, so its
 * offset is requested, and the part continues from there.
 */
async function sendPart(upload: Upload, offset: number): Promise<State> {
  const { blob, options } = upload;
  let start: number | undefined = offset;
  let refused: RowhouseError | undefined;
  const attempt = async (): Promise<WireAnswer> => {
    let from = start;
    start = undefined;
    if (from === undefined) {
      const answer = await askOffset(upload);
      if (answer.status >= 400) return answer;
      from = offsetOf(answer);
      if (from >= blob.size) return answer;
    }
    const end = from + (options.chunkSize ?? defaultChunkSize);
    try {
      const answer = await send(upload, 'PATCH', { from, end });
      if (answer.status >= 400 || offsetOf(answer) > from) return answer;
      throw new RowhouseError('Nothing of the part has arrived', {
        status: answer.status,
        code: '',
      });
    } catch (thrown) {
      if (thrown instanceof RowhouseError) refused = thrown;
      throw thrown;
    }
  };
  const answer = await withRetries(attempt, retryPolicy, options.signal);
  if (!gone.has(answer.status)) return offsetOf(answer);
  const file = await findFile(upload);
  if (file) return file;
  throw refused ?? refusal(answer).error;
}

const askOffset = (upload: Upload) => send(upload, 'HEAD');

/** One request about an upload. Throws errors that may be temporary. */
async function send(
  { exchange, id, blob, options }: Upload,
  method: 'HEAD' | 'PATCH',
  part?: { readonly from: number; readonly end: number },
): Promise<WireAnswer> {
  const answer = await exchange({
    method,
    path: `${base}/${id}`,
    headers: {
      ...protocol,
      ...(part && {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(part.from),
      }),
    },
    body: part && blob.slice(part.from, part.end),
    signal: options.signal,
    retries: false,
  });
  if (passing.has(answer.status) || answer.status >= 500) throw refusal(answer).error;
  return answer;
}

/** The number of bytes that the server has. */
function offsetOf(answer: WireAnswer): number {
  const { status, headers } = answer;
  if (status >= 400) throw refusal(answer).error;
  const text = headers.get('upload-offset');
  if (text !== null && /^\d+$/.test(text)) return Number(text);
  throw new RowhouseError('The answer contains no offset', { status, code: '' });
}

/** The file of a completed upload whose last answer was lost. */
function findFile({ exchange, id, options }: Upload): Promise<StorageFile | undefined> {
  return finalize(exchange, id, options.signal).catch((thrown: unknown) => {
    if (thrown instanceof RowhouseError && gone.has(thrown.status)) return undefined;
    throw thrown;
  });
}

/** Where the id of an upload is stored until it is finished; an empty text means none. */
function memoOf(
  { storage, storageKey }: ResumableParts,
  { bucket, path }: FilePlace,
  blob: Blob,
  fingerprint = 'lastModified' in blob ? `${String(blob.lastModified)}` : undefined,
) {
  const name = [bucket, path, blob.size, blob.type, fingerprint].join(':');
  const key = `${storageKey}.upload.${encodeURIComponent(name)}`;
  let place = storage;
  if (fingerprint === undefined) {
    place = unnamed.get(blob) ?? memoryStorage();
    unnamed.set(blob, place);
  }
  return {
    read: async () => (await place.getItem(key)) ?? '',
    write: async (id: string) => {
      try {
        await (id ? place.setItem(key, id) : place.removeItem(key));
      } catch {
        // A full storage must not prevent the upload; it just cannot continue after a reload.
      }
    },
  };
}

/** Fields in the form of TUS: names, and values in Base64 of UTF-8. */
function metadataText(fields: object): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const bytes = new TextEncoder().encode(String(value));
      return `${name} ${btoa(String.fromCharCode(...bytes))}`;
    })
    .join(',');
}

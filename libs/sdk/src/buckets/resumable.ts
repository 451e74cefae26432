/**
 * Uploads in parts that go on after a fault, a pause or a reload: TUS 1.0 (core protocol and creation) as far
 * as a client of one server needs it. The name of an upload is the id of a reservation, which `finalize` turns
 * into the description of its file as often as it is asked.
 */
import { refusal } from '../answer.js';
import { RowhouseError } from '../error.js';
import type { Exchange, WireAnswer } from '../request.js';
import { defaultRetryPolicy, withRetries } from '../retry.js';
import { memoryStorage, type SessionStorage } from '../storage.js';
import { ask, finalize } from './call.js';
import type { ResumableOptions, StorageFile } from './types.js';
import { type FilePlace, fieldsOfFile, typeOf } from './upload.js';

export interface ResumableParts {
  readonly exchange: Exchange;
  /** Keeps the ids of uploads that are not finished. */
  readonly storage: SessionStorage;
  /** What the names of everything that is kept begin with. */
  readonly storageKey: string;
}

/** How far an upload is: bytes that the server has, or the file that has become of it. */
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
/** A part is tried for some ten seconds before the call gives up; called again, it goes on. */
const retryPolicy = { ...defaultRetryPolicy, maxRetries: 6, maxPauseMs: 5_000 };
/** The server waited in vain, has another offset, still writes what was sent before, or has too much to do. */
const passing = new Set([408, 409, 423, 429]);
/** The upload has ended, or is somebody else's. */
const gone = new Set([403, 404, 410]);
/** What is kept of content that has no name: another blob of the same size is other content. */
const unnamed = new WeakMap<Blob, SessionStorage>();

/** Sends a file in parts, those that the server does not have yet, and gives where it is. */
export async function sendInParts(
  parts: ResumableParts,
  place: FilePlace,
  blob: Blob,
  options: ResumableOptions,
): Promise<Pick<StorageFile, 'id' | 'key'>> {
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
    // Each part begins where the one before it ended.
    state = await sendPart(upload, state);
  }
  const file = typeof state === 'object' ? state : await findFile(upload);
  await memo.write('');
  options.onProgress?.({ loaded: blob.size, total: blob.size });
  // Who may add files but not see them is told of none. It is there all the same, under the upload's id.
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
  // The id alone is taken: whatever host stands before it, the session goes to the project only.
  const [, id] = /([^/?#]+)\/?$/.exec(headers.get('location') ?? '') ?? [];
  if (id !== undefined) return id;
  throw new RowhouseError('The answer names no upload', { status, code: '' });
}

/** The state of an upload that was begun before; undefined when the server knows it no more. */
async function findState(upload: Upload): Promise<State | undefined> {
  const answer = await withRetries(() => askOffset(upload), retryPolicy, upload.options.signal);
  return gone.has(answer.status) ? findFile(upload) : offsetOf(answer);
}

/**
 * Sends one part and gives the state after it. After a fault only the server knows how much has arrived: it
 * is asked, and the part goes on from there.
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

/** One request about an upload. Throws what may be otherwise a moment later. */
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

/** How many bytes the server has. */
function offsetOf(answer: WireAnswer): number {
  const { status, headers } = answer;
  if (status >= 400) throw refusal(answer).error;
  const text = headers.get('upload-offset');
  if (text !== null && /^\d+$/.test(text)) return Number(text);
  throw new RowhouseError('The answer tells no offset', { status, code: '' });
}

/** The file that an upload has become, when its last answer was lost. */
function findFile({ exchange, id, options }: Upload): Promise<StorageFile | undefined> {
  return finalize(exchange, id, options.signal).catch((thrown: unknown) => {
    if (thrown instanceof RowhouseError && gone.has(thrown.status)) return undefined;
    throw thrown;
  });
}

/** Where the id of an upload is kept until it is finished; an empty text stands for none. */
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
        // A full storage is no reason not to upload: the upload cannot go on after a reload, that is all.
      }
    },
  };
}

/** Fields as TUS sends them: names, and values in Base64 of UTF-8. */
function metadataText(fields: object): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const bytes = new TextEncoder().encode(String(value));
      return `${name} ${btoa(String.fromCharCode(...bytes))}`;
    })
    .join(',');
}

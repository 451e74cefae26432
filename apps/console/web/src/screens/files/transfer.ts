// One upload by TUS 1.0 (https://tus.io/protocols/resumable-upload), through the console. It goes on where it was
// interrupted: the server says how much it has. A small file is one request.
import { asProblem, type Problem, problemOf } from '../../api/problem.js';
import { sendPlain } from '../../api/client.js';
import { parseJson } from '../../api/json.js';
import { proxied } from './queries.js';
import { sendBytes } from './send-bytes.js';
import { mayPass, metadataText } from './tus.js';

export interface Transfer {
  readonly ref: string;
  readonly bucket: string;
  readonly key: string;
  readonly file: Blob;
  /** Whether a file with this key is replaced. */
  readonly upsert: boolean;
  /** The id of the upload on the server, if it has begun before. */
  readonly uploadId: string | undefined;
  readonly signal: AbortSignal;
  /** The upload has begun under this id; undefined: it has ended. */
  readonly onUpload: (id: string | undefined) => void;
  /** How many bytes of the file have gone. */
  readonly onProgress: (sent: number) => void;
}

/** Files up to this size are sent with the request that begins their upload. */
const wholeBytes = 4_000_000;
/** What one request sends of a larger file. */
const partBytes = 32_000_000;
const path = '/files/resumable';
const version = { 'tus-resumable': '1.0.0' };
const byteType = { 'content-type': 'application/offset+octet-stream' };
/** The pauses before another try after a failure that may pass. */
const pausesMs = [500, 1000, 2000, 4000];

/** Sends a file, again where that may help. Throws Problem, and the reason of the signal. */
export async function sendFile(transfer: Transfer): Promise<void> {
  let { uploadId } = transfer;
  let pauses = [...pausesMs];
  let furthest = 0;
  const onUpload = (id: string | undefined): void => {
    uploadId = id;
    transfer.onUpload(id);
  };
  const onDurable = (offset: number): void => {
    // An upload that moves on has all of its tries again.
    if (offset > furthest) pauses = [...pausesMs];
    furthest = offset;
  };
  for (;;) {
    try {
      await trySend({ ...transfer, uploadId, onUpload, onDurable });
      transfer.onUpload(undefined);
      return;
    } catch (error) {
      transfer.signal.throwIfAborted();
      const problem = asProblem(error);
      if (problem.code === 'UPLOAD_NOT_FOUND' && uploadId !== undefined) onUpload(undefined);
      else if (!mayPass(problem)) throw problem;
      const pauseMs = pauses.shift();
      if (pauseMs === undefined) throw problem;
      // One try after the other.
      await pause(pauseMs, transfer.signal);
    }
  }
}

/** Ends an upload on the server; what it has of it is deleted. Throws Problem. */
export async function giveUp(ref: string, uploadId: string): Promise<void> {
  const response = await sendPlain(proxied(ref, `${path}/${uploadId}`), {
    method: 'DELETE',
    headers: version,
  });
  // An upload that is not there has ended already.
  if (!response.ok && response.status !== 404) throw await refusal(response);
}

type Attempt = Transfer & { readonly onDurable: (offset: number) => void };

async function trySend(attempt: Attempt): Promise<void> {
  const { file, uploadId, onProgress, onDurable } = attempt;
  if (uploadId === undefined && file.size <= wholeBytes) {
    await begin(attempt, file);
    return;
  }
  let id = uploadId;
  let offset = 0;
  if (id === undefined) {
    id = await begin(attempt, undefined);
    attempt.onUpload(id);
  } else {
    offset = await readOffset(attempt, id);
  }
  while (offset < file.size) {
    onDurable(offset);
    onProgress(offset);
    // Each part begins where the one before has ended.
    offset = await sendPart(attempt, id, offset);
  }
}

/** Begins an upload, with its content or without it. Returns its id. */
async function begin(attempt: Attempt, content: Blob | undefined): Promise<string> {
  const { ref, bucket, key, file, upsert, signal, onProgress } = attempt;
  const metadata = { bucket, path: key, filetype: file.type, upsert: String(upsert) };
  const response = await sendBytes({
    method: 'POST',
    path: proxied(ref, path),
    headers: {
      ...version,
      'upload-length': String(file.size),
      'upload-metadata': metadataText(metadata),
      ...(content && content.size > 0 && byteType),
    },
    body: content ?? new Blob(),
    signal,
    onProgress: content ? onProgress : () => undefined,
  });
  if (!response.ok) throw await refusal(response);
  return (response.headers.get('location') ?? '').split('/').at(-1) ?? '';
}

/** Sends a part; returns how much the server has after it. */
async function sendPart(attempt: Attempt, id: string, offset: number): Promise<number> {
  const { ref, file, signal, onProgress } = attempt;
  const response = await sendBytes({
    method: 'PATCH',
    path: proxied(ref, `${path}/${id}`),
    headers: { ...version, ...byteType, 'upload-offset': String(offset) },
    body: file.slice(offset, offset + partBytes),
    signal,
    onProgress: (sent) => onProgress(offset + sent),
  });
  if (!response.ok) throw await refusal(response);
  return Number(response.headers.get('upload-offset') ?? 0);
}

async function readOffset({ ref, signal }: Attempt, id: string): Promise<number> {
  const response = await sendPlain(proxied(ref, `${path}/${id}`), {
    method: 'HEAD',
    headers: version,
    signal,
  });
  // An answer to HEAD has no body that names the error.
  if (response.status === 404) throw problemOf(response, { code: 'UPLOAD_NOT_FOUND' });
  if (!response.ok) throw problemOf(response, undefined);
  return Number(response.headers.get('upload-offset') ?? 0);
}

async function refusal(response: Response): Promise<Problem> {
  return problemOf(response, parseJson(await response.text()));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      window.clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = window.setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Uploads directly to the store, with an address that the project has signed. */
import { refusal } from '../answer.js';
import { RowhouseError } from '../error.js';
import type { Exchange, WireAnswer } from '../request.js';
import { defaultRetryPolicy, withRetries } from '../retry.js';
import { askData, finalize, known } from './call.js';
import type {
  RepeatableBody,
  SignedUpload,
  SignedUploadOptions,
  StorageFile,
  UploadOptions,
} from './types.js';
import { blobOf, fileOptions, type FilePlace } from './upload.js';

interface Presigned {
  readonly file: Pick<StorageFile, 'id' | 'key'>;
  readonly uploadUrl: string;
  readonly requiredHeaders: Readonly<Record<string, string>>;
  readonly expiresAt: string;
}

/** The fields of an upload for the store. */
export type StoreOptions = Pick<UploadOptions, 'signal' | 'onProgress'>;

/** Reserves one file and returns the address at which the store accepts it. */
export async function signUpload(
  exchange: Exchange,
  { bucket, path }: FilePlace,
  options: SignedUploadOptions,
): Promise<SignedUpload> {
  const filename = path.slice(path.lastIndexOf('/') + 1);
  const { contentType, ...rest } = known(options, [...fileOptions, 'size', 'sha256']);
  const json = { filename, mime: contentType, bucket, path, ...rest };
  const signed = await askData<Presigned>(exchange, ['POST', '/api/files/presign'], { json });
  const { file, uploadUrl, requiredHeaders, expiresAt } = signed;
  const { id, key } = file;
  return { signedUrl: uploadUrl, id, path: key, headers: requiredHeaders, expiresAt };
}

export interface StoreParts {
  /** Sends as the caller, to the project. */
  readonly exchange: Exchange;
  /** Sends to any address without the client's credentials, so that the store never receives the session. */
  readonly store: Exchange;
}

/** Uploads the content to the store and makes the project create its file. */
export async function sendToStore(
  { exchange, store }: StoreParts,
  { signedUrl, headers, id }: SignedUpload,
  body: RepeatableBody,
  options: StoreOptions,
): Promise<StorageFile> {
  const { signal, onProgress } = known(options, ['signal', 'onProgress']);
  let attempts = 0;
  const put = (): Promise<WireAnswer> => {
    attempts += 1;
    return store({ method: 'PUT', path: signedUrl, headers, body, signal, retries: false });
  };
  const answer = await withRetries(put, defaultRetryPolicy, signal);
  // The address works once. If an attempt with a lost answer has used it, the content is already there.
  const wasThere = attempts > 1 && answer.status === 412;
  if (answer.status >= 400 && !wasThere) throw storeRefusal(answer);
  const total = blobOf(body).size;
  onProgress?.({ loaded: total, total });
  return finalize(exchange, id, signal);
}

/** The error of a store, which answers in XML (Amazon S3 API, "Error responses"). */
function storeRefusal(answer: WireAnswer): RowhouseError {
  const { status, message } = refusal(answer).error;
  const field = (name: string) => new RegExp(`<${name}>([^<]*)`).exec(answer.text)?.[1];
  return new RowhouseError(field('Message') ?? message, { status, code: field('Code') ?? '' });
}

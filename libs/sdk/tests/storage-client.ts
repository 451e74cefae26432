// A client of the files whose server is a list of answers, and what was sent to it, bodies as text.
import { createClient, type RowhouseClient } from '../src/client.js';
import { memoryStorage, type SessionStorage } from '../src/storage.js';
import { address, storageKey, user } from './auth-client.js';
import { recordingFetch, type Sent, type Step } from './recording-fetch.js';

export interface StorageTestClient {
  readonly client: RowhouseClient;
  readonly files: ReturnType<RowhouseClient['storage']['from']>;
  readonly sent: Sent[];
  /** One for each request, empty for one without a body. */
  readonly bodies: string[];
}

export interface StorageTestOptions {
  /** The token of the session; null for a visitor. */
  readonly token?: string | null;
  readonly key?: string;
  readonly storage?: SessionStorage;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with a session, whose server answers each request with the next step. */
export function storageClient(
  steps: readonly Step[],
  options: StorageTestOptions = {},
): StorageTestClient {
  const { token = 'tok', key, storage = memoryStorage(), headers = {} } = options;
  if (token !== null) {
    void storage.setItem(storageKey, JSON.stringify({ access_token: token, user }));
  }
  const { fetch, sent } = recordingFetch(...steps);
  const bodies: string[] = [];
  const readingFetch: typeof fetch = async (input, { body, ...init } = {}) => {
    // Refuses what the platform would refuse, as a stream without its `duplex`.
    const request = new Request(input, { ...init, body: body ?? null, signal: null });
    const text = await request.text();
    bodies.push(text);
    const isJson = request.headers.get('content-type') === 'application/json';
    return fetch(input, { ...init, ...(isJson && { body: text }) });
  };
  const client = createClient(address, key, { fetch: readingFetch, storage, headers });
  return { client, files: client.storage.from('pics'), sent, bodies };
}

/** A file as the server describes it. */
export const fileOf = (key: string, id = 'f1') => ({ id, bucket: 'pics', key, size: 5 });

/** The parts of a request that the routes of the files read. */
export function requestOf({ method, target, headers, body }: Sent) {
  return { method, target, headers, ...(body !== undefined && { body }) };
}

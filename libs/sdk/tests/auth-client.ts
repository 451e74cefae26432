// A client of the accounts whose server is a list of answers, and pages for tests that need one.
import { createClient, type RowhouseClient } from '../src/client.js';
import { memoryStorage, type SessionStorage } from '../src/storage.js';
import { recordingFetch, type Reply, type Sent, type Step } from './recording-fetch.js';

export const user = { id: 'u1', email: 'ada@example.org' };
/** The answer of a sign-in. */
export const signedInReply: Reply = { body: { token: 'tok', user } };
/** The answer of `get-session`. */
export const aliveReply: Reply = {
  body: { session: { expiresAt: '2030-01-01T00:00:00.000Z', aal: 'aal1' }, user },
};

export interface TestClient {
  readonly client: RowhouseClient;
  readonly auth: RowhouseClient['auth'];
  readonly sent: Sent[];
  readonly storage: SessionStorage;
}

export interface TestClientOptions {
  /** The token that is kept from the start; none for a visitor. */
  readonly token?: string;
  readonly key?: string;
  readonly url?: string;
  readonly storage?: SessionStorage;
}

export const address = 'http://shop.test';
export const storageKey = 'rowhouse.shop.test';

/** A client whose server answers each request with the next step. */
export function authClient(steps: readonly Step[], options: TestClientOptions = {}): TestClient {
  const { token, key, url = address, storage = memoryStorage() } = options;
  const { fetch, sent } = recordingFetch(...steps);
  if (token !== undefined) {
    void storage.setItem(storageKey, JSON.stringify({ access_token: token, user }));
  }
  const client = createClient(url, key, { fetch, storage });
  return { client, auth: client.auth, sent, storage };
}

/** The parts of a request that the routes of the accounts read. */
export function wireOf({ method, target, headers, body }: Sent) {
  const { 'content-type': _, ...rest } = headers;
  return { method, target, headers: rest, ...(body !== undefined && { body }) };
}

/** Every event that a client's listeners receive. */
export function eventsOf({ auth }: Pick<TestClient, 'auth'>): string[] {
  const events: string[] = [];
  auth.onAuthStateChange((event) => events.push(event));
  return events;
}

/** Waits until all pending microtasks have run. */
export async function flush(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Gives the tests some parts of a page. Returns a function that removes them. */
export function openPage(parts: Record<string, unknown>): () => void {
  const before = Object.keys(parts).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(parts)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      Reflect.deleteProperty(globalThis, name);
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    }
  };
}

/** What the clients of files and of one bucket work with. */
import type { Exchange } from '../request.js';
import type { SessionStorage } from '../storage.js';

export interface StorageParts {
  /** The address of the project, without a slash at its end. */
  readonly url: string;
  /** Sends as the signed-in user, or as whoever the key or the headers of the client name. */
  readonly exchange: Exchange;
  /** Sends with the key alone. */
  readonly exchangeAsKey: Exchange;
  /** Sends to any address, and nothing of the client with it. */
  readonly store: Exchange;
  /** Whether requests name nobody: neither a session nor a secret key. */
  readonly isVisitor: () => Promise<boolean>;
  /** Keeps the ids of uploads that are not finished. */
  readonly storage: SessionStorage;
  readonly storageKey: string;
}

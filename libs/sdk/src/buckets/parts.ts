/** Dependencies of the clients of files and of one bucket. */
import type { Exchange } from '../request.js';
import type { SessionStorage } from '../storage.js';

export interface StorageParts {
  /** The address of the project, without a trailing slash. */
  readonly url: string;
  /** Sends as the signed-in user, or with the key or the authorization in the client's headers. */
  readonly exchange: Exchange;
  /** Sends with the key alone. */
  readonly exchangeAsKey: Exchange;
  /** Sends to any address, without the client's credentials. */
  readonly store: Exchange;
  /** Whether requests carry neither a session nor a secret key. */
  readonly isVisitor: () => Promise<boolean>;
  /** Stores the ids of unfinished uploads. */
  readonly storage: SessionStorage;
  readonly storageKey: string;
}

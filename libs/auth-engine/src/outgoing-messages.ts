// The messages of a request. The engine hands them over in the middle of its work. Those of a transaction are stored on
// its connection before it commits, the others after the work and before the answer. Routes that may send a message to
// an account store an empty message when they send none, so that the answer takes as long.
import { AsyncLocalStorage } from 'node:async_hooks';

import { type AppError, fail } from '#libs/errors';

import type {
  AuthMail,
  AuthMessage,
  AuthMessages,
  AuthSettings,
  AuthSms,
  MessageStore,
} from './auth-config.js';
import type { EnginePool, RunStatement } from './engine-pool.js';
import type { LimitKind, MatchedRoute, Route } from './part.js';

/** Routes that are counted as one of these send a message, or none when there is no account. */
const sendingKinds: ReadonlySet<LimitKind | undefined> = new Set<LimitKind>([
  'sendEmail',
  'sendSms',
  'passwordReset',
]);

interface Outgoing {
  /** The route of the request. */
  readonly route?: MatchedRoute;
  /** Handed over and not stored yet. */
  messages: AuthMessage[];
  /** The ids of those that are committed. */
  readonly stored: string[];
  /** Logs a failure on our side. */
  readonly onFailure?: (failure: AppError) => void;
}

/** What the running request has handed over. */
export const outgoingMessages = new AsyncLocalStorage<Outgoing>();

/** Returns the route of the running request; undefined for work of the platform itself. */
export function currentRoute(): MatchedRoute | undefined {
  return outgoingMessages.getStore()?.route;
}

/** Logs a failure of the running request whose answer will not carry the cause. */
export function reportFailure(failure: AppError): void {
  outgoingMessages.getStore()?.onFailure?.(failure);
}

/** Returns the functions by which the parts of the engine hand messages over. */
export function collectingMessages(store: MessageStore): AuthMessages {
  const hand = async (message: AuthMessage): Promise<void> => {
    const outgoing = outgoingMessages.getStore();
    if (outgoing) outgoing.messages.push(message);
    else store.send(await store.store([message]));
  };
  return {
    mail: async (mail: AuthMail) => {
      if (!store.canMail()) throw fail('EMAIL_NOT_CONFIGURED');
      await hand({ channel: 'email', ...mail });
    },
    canMail: () => store.canMail(),
    ...(store.hasSms && { sms: (sms: AuthSms) => hand({ channel: 'sms', ...sms }) }),
  };
}

/**
 * Returns a pool whose transactions store the messages of their request before they commit: what a transaction has
 * written and the mail about it are there together, or neither is.
 */
export function storingPool(pool: EnginePool, store: MessageStore): EnginePool {
  return {
    async connect() {
      const client = await pool.connect();
      const query = (text: string, values: readonly unknown[] = []) =>
        text === 'commit' ? commitWithMessages(client, store) : client.query(text, values);
      // The engine opens no cursors, which the type of a pool allows.
      return { query: query as typeof client.query, release: () => client.release() };
    },
    end: () => pool.end(),
  };
}

type EngineClient = Awaited<ReturnType<EnginePool['connect']>>;

async function commitWithMessages(client: EngineClient, store: MessageStore) {
  const outgoing = outgoingMessages.getStore();
  if (!outgoing || outgoing.messages.length === 0) return client.query('commit', []);
  const { messages } = outgoing;
  // Work beside this transaction may hand over more before the commit has ended.
  outgoing.messages = [];
  const run: RunStatement = async <R>(text: string, values: readonly unknown[] = []) =>
    (await client.query<R>(text, values)).rows;
  try {
    const ids = await store.store(messages, run);
    const result = await client.query('commit', []);
    outgoing.stored.push(...ids);
    return result;
  } catch (error) {
    outgoing.messages = [...messages, ...outgoing.messages];
    throw error;
  }
}

interface SendingRequest {
  readonly store: MessageStore;
  readonly settings: AuthSettings;
  readonly route: MatchedRoute;
  readonly onFailure: (failure: AppError) => void;
}

/**
 * Returns the answer of `work` after the messages that it has handed over are stored. Throws PROJECT_BUSY before `work`
 * on routes that send messages, while too many wait.
 */
export async function storingMessages(
  { store, settings, route, onFailure }: SendingRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  const sends = isSending(route, settings);
  if (sends) await store.checkRoom();
  const outgoing: Outgoing = { route, messages: [], stored: [], onFailure };
  const response = await outgoingMessages.run(outgoing, work);
  const { messages, stored } = outgoing;
  const isPadded = sends && response.status < 400 && stored.length === 0;
  // A refusal may come with a message: a sign-in that waits for a proof of the address sends the link again.
  const hasMore = messages.length > 0 && response.status < 500;
  if (isPadded || hasMore) stored.push(...(await store.store(messages)));
  store.send(stored);
  return response;
}

function isSending({ limit }: Route, settings: AuthSettings): boolean {
  if (sendingKinds.has(limit)) return true;
  // A sign-up with an address that is taken is answered like any other, and sends nothing.
  return limit === 'signUp' && settings['auth.methods.emailPassword'].requireEmailVerification;
}

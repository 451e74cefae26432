// Transactions of the server's own code, over pg clients: as a caller with role and claims set, or as the login role of
// the lane, which can also run single statements.

import type { Client } from 'pg';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { fail } from '#libs/errors';
import type { Credential } from '#libs/wire';
import type { Lane } from './budget/lane.js';
import { ClientSession } from './client-session.js';
import { Deadline, NOTICE_LOSS, type RunLimits, runUntil } from './deadline.js';
import { lookupFor, readLookup, type IdType, type ResolvedCaller } from './lookup.js';
import { countClient } from './replies/count-client.js';
import { KeptReply, type ReplyOwner, uncountedBytes } from './replies/kept-reply.js';
import { Reading } from './replies/reading.js';
import type { ReplyShare } from './replies/reply-budget.js';
import { writeRefusal } from './write-refusal.js';

/** A transaction that is open while a piece of work runs. */
export interface Transaction {
  /** Runs one statement; `Row` is what the text selects. Throws the error that the caller may see. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Row[]; readonly rowCount: number }>;
}

/** A transaction that runs as a caller. */
export interface CallerTransaction extends Transaction, ResolvedCaller {}

/** Runs `work` in a transaction as the login role of the lane; an error undoes it and is rethrown. */
export function inTransaction<T>(
  lane: Lane<Client>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return withTransaction(lane, (session) => work(transactionOn(session)));
}

/**
 * Runs `work` in a transaction with role and claims of a credential set. Throws PGRST504 and REQUEST_ABORTED when a
 * limit ends it, and REPLY_SPACE_EXHAUSTED when there is no space for its rows: nothing of it is kept then.
 */
export async function inTransactionAs<T>(
  lane: Lane<Client>,
  { credential, idType, limits, replies, owner }: TransactionCaller,
  work: (tx: CallerTransaction) => Promise<T>,
): Promise<T> {
  const session = await ClientSession.acquire(lane, limits.signal);
  const deadline = new Deadline(session.client, limits);
  using reading = new Reading();
  const cancel = (): void => void limits.cancel(session.client);
  const counted =
    replies &&
    countClient(session.client, new KeptReply(replies, owner ?? reading, uncountedBytes), cancel);
  try {
    return await runUntil(deadline, () =>
      inTransactionOn(session, deadline, async () => {
        await session.query(NOTICE_LOSS);
        const { text, values } = lookupFor(credential, { idType, readOnly: false });
        const row = await session.queryTexts(text, values);
        return work(Object.assign(readLookup(credential, row), transactionOn(session, deadline)));
      }),
    );
  } catch (error) {
    throw counted?.refusal ?? writeRefusal(error);
  } finally {
    counted?.stop();
    if (deadline.isEnding) session.close();
    else session.release();
  }
}

/** Whose transaction it is, and when it ends at the latest. */
export interface TransactionCaller {
  readonly credential: Credential;
  readonly idType: IdType;
  readonly limits: RunLimits;
  /** Where the rows that it reads are counted. */
  readonly replies: ReplyShare | undefined;
  /** Until its end they are counted; absent: until the end of the transaction. */
  readonly owner: ReplyOwner | undefined;
}

/** The rows of one statement as the login role of the lane: a transaction of its own, without `begin`. */
export async function queryAlone<Row extends object>(
  lane: Lane<Client>,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const session = await ClientSession.acquire(lane);
  try {
    const { rows } = await session.query<Row>(text, values);
    return rows;
  } finally {
    session.release();
  }
}

/** Like {@link queryAlone}, on a connection that is closed afterwards: code of the project runs in its session. */
export async function queryOnce<Row extends object>(
  lane: Lane<Client>,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const session = await ClientSession.acquire(lane);
  try {
    const { rows } = await session.query<Row>(text, values);
    return rows;
  } finally {
    session.close();
  }
}

/** The pool for Kysely's PostgreSQL dialect. `end` does nothing: the budget owns the connections. */
export function kyselyPool(lane: Lane<Client>): PostgresPool {
  return {
    async connect() {
      const session = await ClientSession.acquire(lane);
      return { query: kyselyQuery(session), release: () => session.release() };
    },
    end: () => Promise.resolve(),
  };
}

async function withTransaction<T>(
  lane: Lane<Client>,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = await ClientSession.acquire(lane);
  try {
    return await inTransactionOn(session, undefined, () => work(session));
  } finally {
    session.release();
  }
}

async function inTransactionOn<T>(
  session: ClientSession,
  deadline: Deadline | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await session.query('begin');
    const value = await work();
    checkTime(deadline);
    await commit(session);
    return value;
  } catch (error) {
    // The server rolls back the transactions of lost and closed connections.
    if (session.isUsable && !deadline?.isEnding) await session.query('rollback');
    throw error;
  }
}

function checkTime(deadline: Deadline | undefined): void {
  if (deadline?.isEnding) throw new Error('The transaction was ended');
}

/** PostgreSQL answers `commit` of a failed transaction with a rollback and no error; here it is an error. */
async function commit(session: ClientSession): Promise<void> {
  const { command } = await session.query('commit');
  if (command !== 'COMMIT') {
    const cause = new Error('A statement failed and its error was swallowed');
    throw fail('DATABASE_ERROR', {}, { cause });
  }
}

function transactionOn(session: ClientSession, deadline?: Deadline): Transaction {
  return {
    async query(text, values) {
      checkTime(deadline);
      return session.query(text, values);
    },
  };
}

/** Kysely wants both forms in one function; cursors are not supported. */
function kyselyQuery(session: ClientSession): PostgresPoolClient['query'] {
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('Cursors are not supported');
    return session.query(text, parameters);
  }
  return query;
}

// Sends the messages of one project that are due. A message is claimed in a short transaction, sent without an open
// transaction, and marked. If a process dies in between, the message is tried again, so a message may be sent twice but
// is never lost.
import type { AuthMail, AuthSms } from '#libs/auth-engine';
import type { ProjectDatabase } from '#libs/database';

import type { ProjectMessages } from '../project-messages.js';
import { isTemporary, nextDelaySeconds, reasonOf } from './message-failure.js';
import type { MessageSeal, SealedValues } from './message-seal.js';
import {
  type ClaimedMessage,
  claimMessage,
  deleteVoid,
  failExpired,
  findDue,
  markFailed,
  markQueued,
  markSent,
  renewClaim,
} from './messages.sql.js';

const renewMs = 3_000;
/** After this time the remaining messages go to the end of the queue, behind those of other projects. */
const turnMs = 5_000;

export interface DeliveryTurn {
  readonly db: Pick<ProjectDatabase, 'queryAsEngine' | 'runAsEngine'>;
  readonly seal: MessageSeal;
  readonly messages: Pick<ProjectMessages, 'sendMail' | 'sendSms'>;
  readonly now: () => number;
  /** Ends the turn after the current message. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown, doing: string) => void;
}

/** A message that is tried again. */
export interface LaterMessage {
  readonly id: string;
  readonly attempts: number;
  readonly delaySeconds: number;
}

export interface DeliveredTurn {
  /** The messages that no longer wait. */
  readonly over: readonly string[];
  readonly later: readonly LaterMessage[];
  /** A message that is due but was left to the next turn. */
  readonly next: string | undefined;
}

/** Sends messages until none is due or the turn is over. Rejects when the database cannot be reached. */
export async function deliverMessages(turn: DeliveryTurn): Promise<DeliveredTurn> {
  const { db, now, signal } = turn;
  const over = [...(await deleteVoid(db)), ...(await failExpired(db))];
  const later: LaterMessage[] = [];
  const endsAt = now() + turnMs;
  while (!signal.aborted && now() < endsAt) {
    // One after the other: another turn may be sending for the project as well.
    const message = await db.runAsEngine(claimMessage);
    if (!message) return { over, later, next: undefined };
    const retry = await deliver(turn, message);
    if (retry) later.push(retry);
    else over.push(message.id);
  }
  return { over, later, next: await findDue(db) };
}

/** Sends a message and records the result. Returns when it is tried again; undefined if it is finished. */
async function deliver(
  { db, seal, messages, onError }: DeliveryTurn,
  message: ClaimedMessage,
): Promise<LaterMessage | undefined> {
  let values: SealedValues = {};
  const renewal = setInterval(() => {
    renewClaim(db, message).catch((error: unknown) => onError(error, 'keep a message to send'));
  }, renewMs);
  try {
    values = seal.open(message.id, message.sealedValues);
    await send(messages, message, values);
  } catch (error) {
    const { id, attempts, kind, channel } = message;
    const reason = reasonOf(error, values);
    onError(error, `send ${channel === 'sms' ? 'an SMS' : 'a mail'} of the kind ${kind}`);
    const delaySeconds = isTemporary(error)
      ? nextDelaySeconds(attempts, message.secondsLeft)
      : undefined;
    if (delaySeconds === undefined) {
      await markFailed(db, message, reason);
      return undefined;
    }
    await markQueued(db, message, { reason, delaySeconds });
    return { id, attempts, delaySeconds };
  } finally {
    clearInterval(renewal);
  }
  await markSent(db, message);
  return undefined;
}

async function send(
  messages: DeliveryTurn['messages'],
  { channel, kind, recipient: to, expiresInSeconds }: ClaimedMessage,
  values: SealedValues,
): Promise<void> {
  if (channel === 'sms') {
    // The outbox has stored the kind of an SMS of the engine.
    await messages.sendSms({ kind: kind as AuthSms['kind'], to, code: String(values['code']) });
    return;
  }
  const inTime =
    expiresInSeconds === null
      ? {}
      : { expiresInMinutes: Math.max(1, Math.round(expiresInSeconds / 60)) };
  // The outbox has stored kind and values of a mail of the engine.
  await messages.sendMail({ kind, to, values: { ...values, ...inTime } } as unknown as AuthMail);
}

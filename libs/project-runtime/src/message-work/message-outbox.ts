// Stores the messages of the auth engine before the request is answered. First the control plane records that a message
// waits, then the row is committed, then, after the answer, a job requests a worker to send it. If a process dies in
// between, the worker finds the message by the record.
import { randomBytes } from 'node:crypto';

import type { AuthMessage, MessageStore, RunStatement } from '#libs/auth-engine';
import type { ProjectDatabase } from '#libs/database';
import { fail } from '#libs/errors';
import type { Settings } from '#libs/settings';

import { smsAccess } from '../sms-access.js';
import type { MessageSeal, SealedValues } from './message-seal.js';
import { hasRoom, insertMessages, type NewMessage } from './messages.sql.js';

/**
 * How long jobs are delayed. They begin after the answer was sent, because sending a message would otherwise show in
 * the response time.
 */
const jobDelayMs = 50;
/**
 * How many jobs are added at once. Further messages are left to the records: a store that is unavailable must not fill
 * memory.
 */
const maxPendingJobs = 1000;

/** Finds messages again that wait in the databases of projects. */
export interface WaitingMessages {
  /** Records that messages of a project are about to be stored. The record survives the process. */
  note(ref: string, ids: readonly string[]): Promise<void>;
  /** Requests a worker to send stored messages. */
  addJobs(ref: string, ids: readonly string[]): Promise<void>;
}

export interface MessageOutboxDeps {
  readonly ref: string;
  readonly db: Pick<ProjectDatabase, 'queryAsEngine'>;
  readonly seal: MessageSeal;
  readonly waiting: WaitingMessages;
  /** Whether mail can be sent now. */
  readonly canMail: () => boolean;
  readonly onError: (error: unknown, doing: string) => void;
}

export class MessageOutbox {
  private readonly timers = new Set<NodeJS.Timeout>();
  private pendingJobs = 0;

  constructor(private readonly deps: MessageOutboxDeps) {}

  /** Returns the store of messages for an auth engine that is built from `settings`. */
  forEngine(settings: Settings): MessageStore {
    return {
      canMail: this.deps.canMail,
      hasSms: settings['auth.hooks'].send.enabled || smsAccess(settings['phone.sms']) !== undefined,
      checkRoom: () => this.checkRoom(),
      store: (messages, run) => this.store(messages, settings, run),
      send: (ids) => this.addJobs(ids),
    };
  }

  /** Throws PROJECT_BUSY while as many messages wait as may. */
  async checkRoom(): Promise<void> {
    if (!(await hasRoom(this.deps.db))) throw fail('PROJECT_BUSY');
  }

  /**
   * Stores messages and returns their ids; call `addJobs` with them after the commit. With `run` they are stored in
   * that open transaction, else they are committed.
   */
  async store(
    messages: readonly AuthMessage[],
    settings: Settings,
    run: RunStatement = (text, values) => this.rowsOf(text, values),
  ): Promise<readonly string[]> {
    const { ref, seal, waiting } = this.deps;
    const rows =
      messages.length > 0
        ? messages.map((message) => rowOf(message, seal, settings))
        : [voidRow(seal)];
    const ids = rows.map(({ id }) => id);
    // The record comes first, so that it exists even if the process dies after the commit.
    await waiting.note(ref, ids);
    await insertMessages(run, rows);
    return ids;
  }

  /** Records that stored messages are about to wait again. */
  note(ids: readonly string[]): Promise<void> {
    return this.deps.waiting.note(this.deps.ref, ids);
  }

  /** Requests a worker to send stored messages, after the answer of the request. Returns at once. */
  addJobs(ids: readonly string[]): void {
    if (ids.length === 0 || this.pendingJobs >= maxPendingJobs) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.pendingJobs += 1;
      this.deps.waiting
        .addJobs(this.deps.ref, ids)
        .catch((error: unknown) => this.deps.onError(error, 'add jobs for messages'))
        .finally(() => (this.pendingJobs -= 1));
    }, jobDelayMs);
    timer.unref();
    this.timers.add(timer);
  }

  /** Leaves jobs that are not added yet to the records. */
  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private async rowsOf<R>(text: string, values: readonly unknown[] = []): Promise<readonly R[]> {
    return this.deps.db.queryAsEngine<R & object>(text, values);
  }
}

function rowOf(message: AuthMessage, seal: MessageSeal, settings: Settings): NewMessage {
  const id = newMessageId();
  const { channel, kind, to } = message;
  const values: SealedValues =
    message.channel === 'sms' ? { code: message.code } : definedOf(message.values);
  const expiresInSeconds = lifeOf(message, settings);
  return {
    id,
    channel,
    kind,
    recipient: to,
    sealedValues: seal.close(id, values),
    status: 'queued',
    ...(expiresInSeconds !== undefined && { expiresInSeconds }),
  };
}

/** The stored form of a message to no account. */
function voidRow(seal: MessageSeal): NewMessage {
  const id = newMessageId();
  const sealedValues = seal.close(id, { code: '000000', expiresInMinutes: 10 });
  return { id, channel: 'email', kind: 'void', recipient: '', sealedValues, status: 'void' };
}

/** How long the code or the link of a message is valid. */
function lifeOf(message: AuthMessage, settings: Settings): number | undefined {
  if (message.channel === 'sms') {
    return message.kind === 'secondFactor'
      ? settings['auth.twoFactor'].codeExpiresIn
      : settings['auth.phoneOtp'].expiresIn;
  }
  const { values } = message;
  const minutes = 'expiresInMinutes' in values ? values.expiresInMinutes : undefined;
  return typeof minutes === 'number' ? minutes * 60 : undefined;
}

function definedOf(values: object): SealedValues {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  );
}

/** A UUID of version 7 (RFC 9562 §5.7): it begins with the milliseconds, so that ids grow with time. */
function newMessageId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end))
    .join('-');
}

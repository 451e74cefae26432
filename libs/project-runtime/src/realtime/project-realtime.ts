// The channels of a project: its hub with everything that the hub asks the project's database.
import { randomUUID } from 'node:crypto';

import type { ProjectDatabase, ProjectKeys } from '#libs/database';
import { fail } from '#libs/errors';
import {
  type Clock,
  type Exchange,
  Feed,
  Hub,
  type HubLimits,
  type Pace,
  readTopicRights,
  type Rights,
  type Ruling,
  rulingOf,
  sendingRefusal,
  SharedRate,
  type HubQuestion,
  type Places,
  type PollingFeeds,
  type Timer,
  Visibility,
} from '#libs/realtime';
import { type BroadcastMessage, maxBroadcastMessages, type Rate } from '#libs/realtime-core';
import type { Settings } from '#libs/settings';
import type { Credential } from '#libs/wire';

import type { ProjectCatalog } from '../project-catalog.js';
import type { WriteSignals } from '../runtime-deps.js';
import { BoundTables } from './bound-tables.js';
import { liveRights } from './live-rights.js';
import { readSchemaVersion } from './schema-version.sql.js';

export interface RealtimeParts {
  readonly db: ProjectDatabase;
  readonly catalog: ProjectCatalog;
  readonly clock: Clock;
  readonly exchange: Exchange;
  readonly writeSignals: Pick<WriteSignals, 'subscribe'>;
  readonly pace: Pace | undefined;
  readonly polling: PollingFeeds;
  readonly replayPlaces: Places;
  readonly settings: () => Settings;
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string) => void;
  readonly keys: () => ProjectKeys;
  /** Whether a client needs a key of the project. */
  readonly areKeysEnforced: () => boolean;
}

export class ProjectRealtime {
  readonly hub: Hub;
  readonly #parts: RealtimeParts;
  readonly #visibility: Visibility;
  /** Messages that came over HTTP. */
  readonly #overHttp: SharedRate;
  #keyEnd: Timer | undefined;

  constructor(parts: RealtimeParts) {
    const { db, clock, exchange, writeSignals, pace, polling, replayPlaces, now, onError } = parts;
    this.#parts = parts;
    this.#overHttp = new SharedRate(
      () => clock.now(),
      () => rateOverHttp(parts.settings()),
    );
    this.#visibility = new Visibility(db);
    const tables = new BoundTables({ db, catalog: parts.catalog, visibility: this.#visibility });
    this.hub = new Hub({
      clock,
      now,
      exchange,
      replayPlaces,
      callers: liveRights(db, now),
      limits: () => limitsOf(parts.settings()),
      openFeed: (listener) =>
        Feed.open({ db, clock }, listener, {
          whilePolling: () => writeSignals.subscribe(() => this.wake()),
          onError: (error) => onError(error, 'read changes'),
          polling,
          ...(pace && { pace }),
        }),
      bindTables: tables.find,
      readTopicRights: (rights, topic) => readTopicRights(db, rights, topic),
      readSchemaVersion: () => readSchemaVersion(db),
      decide: (question) => this.#rule(question),
      newRef: randomUUID,
      onError,
    });
    this.#watchKeys();
  }

  /** What a credential may do now; undefined if it is not valid. Throws USER_INACTIVE. */
  findRights(credential: Credential): Promise<Rights | undefined> {
    const { db, now } = this.#parts;
    return liveRights(db, now).findRights(credential);
  }

  /**
   * Whether the policies of `realtime.messages` let a caller send to a private topic. Throws CHANNEL_REFUSED and
   * POLICY_READS_MESSAGE with the details, and the errors of policies.
   */
  async requireSending(rights: Rights, topic: string, details: object): Promise<void> {
    const topicRights = await readTopicRights(this.#parts.db, rights, topic);
    const refusal = sendingRefusal(topicRights, 'broadcast', topic, details);
    if (refusal) throw refusal;
  }

  /** The largest frame of a client, and payload of a message over HTTP, in bytes of UTF-8. */
  get maxFrameBytes(): number {
    return this.#parts.settings().realtime.maxFrameBytes;
  }

  /**
   * Counts messages that came over HTTP. They have a rate of their own, so that they take none from sockets, but share
   * the deliveries. Throws RATE_LIMITED.
   */
  countMessages(count: number, sender: string): void {
    const waitMs = Math.max(this.hub.deliveryWaitMs(sender), this.#overHttp.waitMs(sender, count));
    if (waitMs > 0) throw fail('RATE_LIMITED', {}, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    this.#overHttp.take(count, sender);
  }

  /** Sends messages to the clients of all processes. Their sender may send them, and they are not too large. */
  broadcast(messages: readonly BroadcastMessage[], sender: string): void {
    for (const message of messages) this.hub.broadcast(message, sender);
  }

  /** Looks for changes at once: a request has written. */
  wake(): void {
    this.hub.wake();
  }

  /**
   * Those whose credential is a key of the project connect again, if their key is still one. Where each client needs a
   * key, those whose key has ended are disconnected.
   */
  keysChanged(): void {
    const { keys, areKeysEnforced, now } = this.#parts;
    const isEnforced = areKeysEnforced();
    const hasEnded = (hash: string): boolean => !isCurrent(keys(), hash, now());
    this.hub.disconnectWhere(
      ({ credential, socket: { projectKeys = [] } }) =>
        keyKinds.has(credential.kind) || (isEnforced && projectKeys.some(hasEnded)),
      fail('INVALID_API_KEY'),
    );
    this.#watchKeys();
  }

  /** A key that was replaced ends at its time, for sockets that are open, too. */
  #watchKeys(): void {
    const { clock, keys, now } = this.#parts;
    this.#keyEnd?.cancel();
    const ends = Object.values(keys().expiresAt ?? {}).map(endOfSecond);
    const waits = ends.flatMap((end) => (end > now() ? [end - now()] : []));
    if (waits.length === 0) return;
    this.#keyEnd = clock.setTimer(Math.min(...waits, longestTimerMs), () => this.keysChanged());
  }

  /** Disconnects everybody; clients connect again where the project is served. */
  close(): Promise<void> {
    this.#keyEnd?.cancel();
    return this.hub.close(fail('SHUTTING_DOWN', {}, { retryAfterSeconds: 1 }));
  }

  async #rule(question: HubQuestion): Promise<Ruling> {
    const { table, role, changes, audiences, bindings } = question;
    const filtered = bindings.filter(({ binding }) => binding.filter !== undefined);
    const indexOf = new Map(audiences.map(({ audience }, index) => [audience, index]));
    const verdict = await this.#visibility.decide({
      table,
      role,
      changes,
      audiences,
      filters: filtered.flatMap(({ binding }) => binding.filter ?? []),
      listeners: filtered.map((one) => [...one.audiences].map((name) => indexOf.get(name) ?? -1)),
    });
    return rulingOf(question, { verdict, filtered: filtered.map(({ id }) => id) });
  }
}

/** What a timer of Node.js takes. */
const longestTimerMs = 2 ** 31 - 1;

/** The clock of the process. */
export const processClock: Clock = {
  now: () => performance.now(),
  setTimer(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

const keyKinds: ReadonlySet<Credential['kind']> = new Set([
  'secret-key',
  'impersonated-user',
  'impersonated-anon',
]);

function isCurrent({ publishable, secret, expiresAt }: ProjectKeys, hash: string, now: number) {
  const end = expiresAt?.[hash];
  if (end !== undefined && endOfSecond(end) <= now) return false;
  return publishable.includes(hash) || secret.includes(hash);
}

/** Keys are checked by whole seconds: one is valid until the second of its end is over. */
function endOfSecond(end: number): number {
  return Math.ceil(end / 1000) * 1000;
}

function rateOverHttp({ realtime }: Settings): Rate {
  const perSecond = realtime.projectMessagesPerSecond;
  return { perSecond, burst: Math.max(perSecond, maxBroadcastMessages) };
}

function limitsOf(settings: Settings): HubLimits {
  const { presence, ...limits } = settings.realtime;
  return {
    maxConnections: limits.maxConnections,
    maxChannels: limits.maxChannels,
    maxBindings: limits.maxBindings,
    joins: { perSecond: limits.joinsPerSecond, burst: limits.joinBurst },
    messages: { perSecond: limits.messagesPerSecond, burst: limits.messageBurst },
    presence: {
      perSecond: presence.updates / presence.windowSeconds,
      burst: presence.updates,
    },
    projectMessages: {
      perSecond: limits.projectMessagesPerSecond,
      burst: limits.projectMessagesPerSecond,
    },
    maxFrameBytes: limits.maxFrameBytes,
    presencePayload: { maxBytes: presence.maxBytes, maxFields: presence.maxFields },
  };
}

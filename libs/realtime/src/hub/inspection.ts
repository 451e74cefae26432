// What happens in the channels of this process, for administrators who look on: what was sent and to how many, and who
// was refused what. It has no contents of rows and messages. Refusals are kept for a while; nothing else is made while it
// has no reader.
import { type AppError, fail } from '#libs/errors';
import { type ClientEvent, maxNameLength } from '#libs/realtime-core';

import type { Member } from './member.js';
import { RecentRefusals, shortCopy } from './recent-refusals.js';
import type { Room } from './rooms.js';

/** A client, as its operators know it. */
export interface InspectedClient {
  /** Names its connection. */
  readonly client: string;
  readonly role: string;
  /** The id of its user; absent without one. */
  readonly user?: string;
}

interface InspectedRoom {
  readonly topic: string;
  readonly private: boolean;
}

export type InspectedEvent =
  | ({ readonly kind: 'joined'; readonly tables: readonly string[] } & InspectedRoom &
      InspectedClient)
  /** A frame of a client, or its connection, was refused. */
  | ({
      readonly kind: 'refused';
      readonly event: ClientEvent | 'connect';
      readonly topic?: string;
      readonly code: string;
      readonly message: string;
    } & Partial<InspectedClient>)
  /** The server has ended a channel, or without a topic the connection. */
  | ({
      readonly kind: 'ended';
      readonly topic?: string;
      readonly code: string;
      readonly message: string;
    } & InspectedClient)
  | ({
      readonly kind: 'message';
      readonly event: string;
      /** Of its payload. */
      readonly bytes: number;
      readonly receivers: number;
    } & InspectedRoom)
  | ({
      readonly kind: 'presence';
      readonly keys: number;
      readonly receivers: number;
    } & InspectedRoom)
  | {
      readonly kind: 'change';
      readonly id: string;
      readonly table: string;
      readonly eventType: string;
      /** Channels that have received it. */
      readonly receivers: number;
      /** Channels whose bindings do not ask for it. */
      readonly unmatched: number;
      /** Channels from which the policies hide it. */
      readonly hidden: number;
    }
  /** More has happened than is shown. */
  | { readonly kind: 'omitted'; readonly events: number };

export interface Observer {
  event(event: InspectedEvent): void;
  /** There is nothing more to come. */
  end(): void;
}

/** At a time, of one project in this process. */
const maxObservers = 10;
/** Streams in which administrators join channels, at a time, of one project in this process. */
const maxInspectors = 20;

/**
 * A listener that is opened again within this time after its end goes on; milliseconds. Browsers delay the timers of
 * tabs in the background, so a stream may end before the next one is opened.
 */
const resumeMs = 10_000;

export class Inspection {
  readonly refusals: RecentRefusals;
  readonly #observers = new Set<Observer>();
  #inspectors = 0;
  readonly #listeners = new Set<{ readonly name: string; endedAt: number }>();
  readonly #now: () => number;

  /** `now` is in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
    this.refusals = new RecentRefusals(now);
  }

  get isWatched(): boolean {
    return this.#observers.size > 0;
  }

  /** Shows an observer what happens until the returned function is called. Throws LIVE_FEED_BUSY. */
  watch(observer: Observer): () => void {
    if (this.#observers.size >= maxObservers) throw fail('LIVE_FEED_BUSY', { limit: maxObservers });
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Counts an administrator who joins channels until the returned function is called. Throws LIVE_FEED_BUSY. */
  admitInspector(): () => void {
    if (this.#inspectors >= maxInspectors) throw fail('LIVE_FEED_BUSY', { limit: maxInspectors });
    this.#inspectors += 1;
    return () => (this.#inspectors -= 1);
  }

  /** Whether an administrator has a listener with this name open, or had it open a moment ago. */
  isListening(name: string): boolean {
    const oldest = this.#now() - resumeMs;
    for (const listener of this.#listeners) {
      if (listener.endedAt < oldest) this.#listeners.delete(listener);
    }
    return [...this.#listeners].some((listener) => listener.name === name);
  }

  /** Remembers a listener of an administrator, which has ended when the returned function is called. */
  rememberListener(name: string): () => void {
    const listener = { name, endedAt: Infinity };
    this.#listeners.add(listener);
    return () => (listener.endedAt = Math.min(listener.endedAt, this.#now()));
  }

  note(event: () => InspectedEvent): void {
    if (!this.isWatched) return;
    const noted = event();
    for (const observer of this.#observers) observer.event(noted);
  }

  /** A frame of a client was refused; what it has sent as topic may be anything. */
  noteRefusal(
    event: ClientEvent | 'connect',
    { code, message }: AppError,
    from: { readonly member?: Member; readonly topic?: unknown } = {},
  ): void {
    const { member, topic } = from;
    const refusal = {
      kind: 'refused',
      event,
      ...(typeof topic === 'string' && { topic: shortCopy(topic, maxNameLength) }),
      code,
      message,
      ...(member && clientOf(member)),
    } as const;
    this.refusals.note(refusal);
    this.note(() => refusal);
  }

  /** The server has ended a channel of a client, or without a topic its connection. */
  noteEnd(member: Member, { code, message }: AppError, topic?: string): void {
    const end = {
      kind: 'ended',
      ...(topic !== undefined && { topic }),
      code,
      message,
      ...clientOf(member),
    } as const;
    this.refusals.note(end);
    this.note(() => end);
  }

  close(): void {
    for (const observer of this.#observers) observer.end();
    this.#observers.clear();
  }
}

export function clientOf({ socket, rights }: Member): InspectedClient {
  const user = rights.userId ?? rights.subject;
  return { client: socket.id, role: rights.role, ...(user !== '' && { user }) };
}

export function inspectedRoom({ topic, isPrivate }: Room): InspectedRoom {
  return { topic, private: isPrivate };
}

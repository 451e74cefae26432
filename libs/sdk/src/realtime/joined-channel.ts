// One channel on the connection of a client: joined whenever there is a connection, with the cursor up to which it knows
// the changes of tables.
import { callBack } from './call-back.js';
import { comparePresence } from './presence.js';
import type { Ack, Joined, Membership, Refusal, SendFrame, Subscription } from './ports.js';
import { randomPauseMs } from '../retry.js';
import { errorOf, isLasting } from './refusal.js';
import { reconnection } from './reconnection.js';
import { rememberedIds, SeenIds } from './seen-ids.js';
import { TableListeners } from './table-listeners.js';
import type {
  RealtimeGap,
  RealtimeOutcome,
  RealtimePresenceState,
  RealtimeStatus,
} from './types.js';

export interface ChangesFrame {
  readonly e: readonly { readonly id: string; readonly b: readonly string[]; readonly d: object }[];
  readonly cur?: string;
}

export interface JoinedChannelParts {
  readonly subscription: Subscription;
  readonly send: SendFrame;
  /** Whether frames can be sent now. */
  readonly isConnected: () => boolean;
  readonly onLeave: (channel: JoinedChannel, timeoutMs: number) => Promise<RealtimeOutcome>;
}

type State =
  /** Waits for a connection, or for its next attempt. */
  | 'waiting'
  | 'joining'
  | 'joined'
  /** The server has refused it for good: it waits for other rights. */
  | 'refused';

export class JoinedChannel implements Membership {
  presence: RealtimePresenceState = {};
  readonly #subscription: Subscription;
  readonly #parts: JoinedChannelParts;
  readonly #tables: TableListeners;
  readonly #seen = new SeenIds(rememberedIds);
  #state: State = 'waiting';
  /** Names the current attempt: answers to others are late. */
  #attempt = 0;
  #failures = 0;
  /** Runs until the first join is answered. */
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** What was reported last: the same error is reported once. */
  #reported = '';
  #cursor: string | undefined;
  /** Transactions are open that the cursor does not cover, until WARM or a join that waits for none of them. */
  #isWarming = false;
  /** What was tracked last, and whether this connection knows it. */
  #tracked: object | undefined;
  #isTracked = false;

  constructor(parts: JoinedChannelParts) {
    this.#parts = parts;
    this.#subscription = parts.subscription;
    const { listeners, timeoutMs } = parts.subscription;
    this.#tables = new TableListeners(listeners);
    this.#deadline = setTimeout(() => this.#timedOut(), timeoutMs);
  }

  get topic(): string {
    return this.#subscription.topic;
  }

  /** Joins: there is a connection, or rights have changed. */
  join(): void {
    if (this.#state === 'joining' || this.#state === 'joined' || this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#state = 'joining';
    const attempt = (this.#attempt += 1);
    const { topic, config, timeoutMs } = this.#subscription;
    const { filters } = this.#tables;
    const frame = {
      topic,
      config: { ...config, postgres_changes: filters },
      ...(filters.length > 0 && this.#cursor !== undefined && { resume: this.#cursor }),
    };
    this.#parts.send('rt:join', frame, {
      timeoutMs,
      done: (ack) => {
        if (attempt === this.#attempt && !this.#isClosed) this.#answered(ack);
      },
    });
  }

  /** Joins again if the server has refused it: rights have changed. */
  reconsider(): void {
    if (this.#state === 'refused') this.join();
  }

  /** The connection has ended. Without an error it is the client that opens another one. */
  disconnected(error?: Refusal): void {
    this.#stop('waiting');
    if (error) this.#reportError(error);
  }

  /** The account has changed: what the former user has tracked is not tracked for the next one. */
  forget(): void {
    this.#tracked = undefined;
  }

  /** `rt:pg` */
  changes({ e: entries, cur }: ChangesFrame): void {
    if (this.#state !== 'joined') return;
    for (const { id, b: bindings, d: change } of entries) {
      if (!this.#seen.add(id)) continue;
      // The server says what belongs to the binding of each listener.
      for (const { callback } of this.#tables.of(bindings)) this.#call(callback, change as never);
    }
    if (cur !== undefined) this.#cursor = cur;
  }

  /** `rt:msg` */
  message({ event, payload }: { readonly event: string; readonly payload: unknown }): void {
    if (this.#state !== 'joined') return;
    const message = { type: 'broadcast', event, payload } as const;
    this.#emit('broadcast', (wanted) => wanted === event || wanted === '*', message);
  }

  /** `rt:presence` */
  present({ state }: { readonly state: RealtimePresenceState }): void {
    if (this.#state === 'joined') this.#present(state);
  }

  /** `rt:system` */
  system(frame: Refusal): void {
    if (frame.status === 'ok') {
      if (this.#state !== 'joined' || !this.#isWarming || frame.code !== 'WARM') return;
      this.#isWarming = false;
      this.#gap({ reason: 'warming' });
    } else if (this.#state === 'joined' || this.#state === 'joining') this.#failed(frame);
  }

  send(event: string, payload: unknown, timeoutMs?: number): Promise<RealtimeOutcome> {
    const { topic, config } = this.#subscription;
    const frame = { topic, event, payload };
    const isJoined = this.#state === 'joined' && this.#parts.isConnected();
    // Before the join the server refuses it, which is worth knowing.
    if (config.broadcast?.ack || !isJoined) return this.#ask('rt:send', frame, timeoutMs);
    this.#parts.send('rt:send', frame);
    return Promise.resolve('ok');
  }

  async track(payload: object, timeoutMs?: number): Promise<RealtimeOutcome> {
    const { topic } = this.#subscription;
    const isKnown = this.#isTracked && JSON.stringify(payload) === JSON.stringify(this.#tracked);
    if (isKnown) return 'ok';
    this.#isTracked = this.#state === 'joined';
    const outcome = await this.#ask('rt:track', { topic, payload }, timeoutMs);
    if (outcome === 'ok') this.#tracked = payload;
    else this.#isTracked = false;
    return outcome;
  }

  untrack(timeoutMs?: number): Promise<RealtimeOutcome> {
    this.#tracked = undefined;
    this.#isTracked = false;
    return this.#ask('rt:untrack', { topic: this.topic }, timeoutMs);
  }

  leave(timeoutMs = this.#subscription.timeoutMs): Promise<RealtimeOutcome> {
    this.#stop('waiting');
    return this.#parts.onLeave(this, timeoutMs);
  }

  get #isClosed(): boolean {
    return this.#subscription.isClosed;
  }

  #ask(
    event: string,
    frame: object,
    timeoutMs = this.#subscription.timeoutMs,
  ): Promise<RealtimeOutcome> {
    return new Promise((resolve) => {
      this.#parts.send(event, frame, { timeoutMs, done: ({ status }) => resolve(status) });
    });
  }

  #answered(ack: Ack): void {
    if (ack.status === 'ok') this.#joined(ack);
    else if (ack.status === 'error') this.#failed(ack);
    else this.#timedOut();
  }

  #joined({ bindings = [], cursor, recovered, warming, presence = {} }: Joined): void {
    clearTimeout(this.#deadline);
    this.#state = 'joined';
    this.#failures = 0;
    this.#cursor = cursor;
    // They have ended while the channel was not joined.
    const isWarm = this.#isWarming && warming !== true;
    this.#isWarming = warming === true;
    this.#isTracked = false;
    this.#tables.bind(bindings);
    this.#report('SUBSCRIBED');
    if (recovered === false) this.#gap({ reason: 'missed' });
    else if (isWarm) this.#gap({ reason: 'warming' });
    this.#present(presence);
    // Unless the app has tracked something when it learned of the join.
    if (this.#tracked && !this.#isTracked && !this.#isClosed) void this.track(this.#tracked);
  }

  #failed(error: Refusal): void {
    const isLast = isLasting(errorOf(error));
    this.#stop(isLast ? 'refused' : 'waiting');
    if (!isLast) this.#joinLater(error.retryAfterMs);
    this.#reportError(error);
  }

  #timedOut(): void {
    this.#stop('waiting');
    this.#joinLater();
    this.#report('TIMED_OUT');
  }

  /** Ends the current attempt, and what waits for it. */
  #stop(state: State): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#retry);
    this.#attempt += 1;
    this.#isTracked = false;
    this.#state = state;
  }

  #joinLater(retryAfterMs = 0): void {
    // A new connection joins by itself.
    if (!this.#parts.isConnected()) return;
    const ms = retryAfterMs + randomPauseMs(reconnection, this.#failures);
    this.#failures += 1;
    this.#retry = setTimeout(() => this.join(), ms);
  }

  #report(status: RealtimeStatus): void {
    this.#reported = status;
    this.#subscription.report(status);
  }

  #reportError(refusal: Refusal): void {
    if (this.#reported === refusal.code || this.#isClosed) return;
    this.#reported = refusal.code;
    this.#subscription.report('CHANNEL_ERROR', errorOf(refusal));
  }

  #present(state: RealtimePresenceState): void {
    const changes = comparePresence(this.presence, state);
    this.presence = state;
    for (const change of changes) {
      this.#emit('presence', (wanted) => wanted === change.event, change);
    }
    this.#emit('presence', (wanted) => wanted === 'sync', undefined);
  }

  #gap(gap: RealtimeGap): void {
    for (const listener of this.#subscription.listeners) {
      if (listener.type === 'gap') this.#call(listener.callback, gap);
    }
  }

  #emit(
    type: 'broadcast' | 'presence',
    wants: (event: string) => boolean,
    payload: object | undefined,
  ): void {
    for (const listener of this.#subscription.listeners) {
      if (listener.type !== type || !wants(listener.filter.event)) continue;
      // `on` declares the payload of each event.
      this.#call(listener.callback, payload as never);
    }
  }

  #call<Payload>(callback: (payload: Payload) => unknown, payload: Payload): void {
    if (!this.#isClosed) void callBack(callback, payload);
  }
}

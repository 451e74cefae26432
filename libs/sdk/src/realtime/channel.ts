import type { GenericDatabase, LooseRow, TableRow } from '../types/index.js';
import { callBack } from './call-back.js';
import type { Listener, Membership, Subscription } from './ports.js';
import type {
  RealtimeChangeEvent,
  RealtimeChangeFilter,
  RealtimeChangeOf,
  RealtimeChannelConfig,
  RealtimeGap,
  RealtimeMessage,
  RealtimeOutcome,
  RealtimePresenceJoin,
  RealtimePresenceLeave,
  RealtimePresenceState,
  RealtimeStatus,
} from './types.js';

/** Time for the first join and for each answer of the server, unless a call has its own. */
const defaultTimeoutMs = 10_000;

const events: Readonly<Record<string, readonly string[] | undefined>> = {
  postgres_changes: ['*', 'INSERT', 'UPDATE', 'DELETE'],
  presence: ['sync', 'join', 'leave'],
};

// oxlint-disable-next-line typescript/no-explicit-any -- a message has any JSON value, as in supabase-js
type AnyPayload = any;

const nothing = (): void => undefined;

interface TimeoutOption {
  /** In ms. */
  readonly timeout?: number;
}

/** What a channel needs of its client. */
export interface ChannelHome {
  /** Loads the connection and joins. Undefined if the subscription is closed before. */
  join(subscription: Subscription): Promise<Membership | undefined>;
  /** Throws if the client has another channel of the topic. */
  add(channel: object, topic: string): void;
  remove(channel: object, topic: string): void;
}

/**
 * A topic: changes of tables, messages of other clients, and who is present. Created by `client.channel`. Register
 * callbacks with `on`, then `subscribe`.
 */
export class RealtimeChannel<Db extends GenericDatabase = GenericDatabase> {
  readonly topic: string;
  readonly #config: RealtimeChannelConfig;
  readonly #home: ChannelHome;
  readonly #listeners: Listener[] = [];
  #subscription: Subscription | undefined;
  #joining: Promise<Membership | undefined> = Promise.resolve(undefined);
  #membership: Membership | undefined;

  /** @internal Created by the client. */
  constructor(topic: string, config: RealtimeChannelConfig, home: ChannelHome) {
    this.topic = topic;
    this.#config = config;
    this.#home = home;
  }

  /**
   * Calls back for changes of a table that this client may read. Changes are registered before `subscribe`.
   * @throws TypeError for another type or event, and after `subscribe`
   */
  on<
    Table extends keyof Db['public']['Tables'] & string,
    Event extends RealtimeChangeEvent = RealtimeChangeEvent,
  >(
    type: 'postgres_changes',
    filter: RealtimeChangeFilter & { readonly event: Event; readonly table: Table },
    callback: (payload: RealtimeChangeOf<TableRow<Db, Table>, Event>) => unknown,
  ): this;
  /** The same with a type of rows: `on<Planet>('postgres_changes', …)`. */
  on<Row extends object = never>(
    type: 'postgres_changes',
    filter: [Row] extends [never] ? never : RealtimeChangeFilter,
    callback: (payload: RealtimeChangeOf<Row, '*'>) => unknown,
  ): this;
  /** Calls back for messages with the name `event`; `*` is all of them. */
  on<Payload = AnyPayload>(
    type: 'broadcast',
    filter: { readonly event: string },
    callback: (message: RealtimeMessage<Payload>) => unknown,
  ): this;
  /** Calls back when the state of presence has arrived or changed. */
  on(type: 'presence', filter: { readonly event: 'sync' }, callback: () => unknown): this;
  /** Calls back for clients that have come. */
  on<Payload extends object = LooseRow>(
    type: 'presence',
    filter: { readonly event: 'join' },
    callback: (change: RealtimePresenceJoin<Payload>) => unknown,
  ): this;
  /** Calls back for clients that have gone. */
  on<Payload extends object = LooseRow>(
    type: 'presence',
    filter: { readonly event: 'leave' },
    callback: (change: RealtimePresenceLeave<Payload>) => unknown,
  ): this;
  on(
    type: string,
    filter: RealtimeChangeFilter | { readonly event: string },
    callback: (payload: never) => unknown,
  ): this {
    if (type !== 'postgres_changes' && type !== 'broadcast' && type !== 'presence') {
      throw new TypeError(
        `Channels have no events of the type ${type}: use postgres_changes, broadcast or presence`,
      );
    }
    const known = events[type];
    if (known && !known.includes(filter.event)) {
      throw new TypeError(
        `${type} has no event ${String(filter.event)}: use one of ${known.join(', ')}`,
      );
    }
    if (type === 'postgres_changes' && this.#subscription) {
      throw new TypeError(`Call on('postgres_changes', …) of ${this.topic} before subscribe()`);
    }
    // The overloads say which filter belongs to which type.
    this.#listeners.push({ type, filter, callback } as Listener);
    return this;
  }

  /** Calls back when changes of tables may have been missed: read the data again. */
  onGap(callback: (gap: RealtimeGap) => unknown): this {
    this.#listeners.push({ type: 'gap', callback });
    return this;
  }

  /**
   * Joins the topic and stays in it: after a lost connection and after an error the channel joins again, and each time
   * reports its status. Errors have `code` and `message`.
   * @throws TypeError if the channel is subscribed already, or the client has another one of its topic
   */
  subscribe(
    callback?: (status: RealtimeStatus, error?: Error & { readonly code: string }) => unknown,
    timeout: number = defaultTimeoutMs,
  ): this {
    if (this.#subscription) throw new TypeError(`The channel ${this.topic} is subscribed already`);
    this.#home.add(this, this.topic);
    const subscription: Subscription = {
      topic: this.topic,
      config: this.#config,
      listeners: this.#listeners,
      timeoutMs: timeout,
      isClosed: false,
      report: (status, error) => void callBack(callback ?? nothing, status, error),
    };
    this.#subscription = subscription;
    this.#joining = this.#home.join(subscription);
    void this.#joining.then((membership) => {
      if (!subscription.isClosed) this.#membership = membership;
    });
    return this;
  }

  /** Leaves the topic. Nothing is called after the status CLOSED; `subscribe` joins again. */
  async unsubscribe(timeout?: number): Promise<RealtimeOutcome> {
    const subscription = this.#subscription;
    this.#home.remove(this, this.topic);
    if (!subscription) return 'ok';
    const joining = this.#joining;
    this.#subscription = this.#membership = undefined;
    this.#joining = Promise.resolve(undefined);
    subscription.isClosed = true;
    subscription.report('CLOSED');
    return (await joining)?.leave(timeout) ?? 'ok';
  }

  /**
   * Sends a message to the other clients of the topic. With `broadcast.ack` the result is the server's answer, else `ok`
   * means that the message has left. A message before SUBSCRIBED is an `error`.
   * @throws TypeError for a type other than `broadcast`
   */
  async send(
    message: { readonly type: 'broadcast'; readonly event: string; readonly payload?: unknown },
    options: TimeoutOption = {},
  ): Promise<RealtimeOutcome> {
    if (message.type !== 'broadcast') {
      throw new TypeError(
        `Channels send messages of the type broadcast, not ${String(message.type)}`,
      );
    }
    const membership = await this.#joining;
    return membership?.send(message.event, message.payload, options.timeout) ?? 'error';
  }

  /**
   * Shows the payload to the clients of the topic until `untrack` or the end of the channel. A second one replaces it.
   * It is tracked again after a lost connection, and forgotten when the user signs out.
   */
  async track(payload: object, options: TimeoutOption = {}): Promise<RealtimeOutcome> {
    return (await this.#joining)?.track(payload, options.timeout) ?? 'error';
  }

  async untrack(options: TimeoutOption = {}): Promise<RealtimeOutcome> {
    return (await this.#joining)?.untrack(options.timeout) ?? 'error';
  }

  /** What is tracked in the topic now, by key; empty before `sync`. */
  presenceState<Payload extends object = LooseRow>(): RealtimePresenceState<Payload> {
    // What clients track has the type that the app declares for it.
    return (this.#membership?.presence ?? {}) as RealtimePresenceState<Payload>;
  }
}

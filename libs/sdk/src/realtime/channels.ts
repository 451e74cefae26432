import { unreachable } from '../error.js';
import { randomPauseMs } from '../retry.js';
import type { GenericDatabase } from '../types/index.js';
import { RealtimeChannel } from './channel.js';
import type { ConnectionOptions } from './connection.js';
import type { Membership, Subscription } from './ports.js';
import { reconnection } from './reconnection.js';
import type { RealtimeChannelConfig, RealtimeChannelOptions } from './types.js';

type Connecting = Promise<{ join(subscription: Subscription): Membership }>;

/** The channels of a client. The connection is loaded with the first one. */
export class Channels<Db extends GenericDatabase> {
  readonly #options: ConnectionOptions;
  readonly #channels = new Map<string, RealtimeChannel<Db>>();
  readonly #configs = new WeakMap<object, string>();
  #connection: Connecting | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Returns the channel of a topic. Throws TypeError if a config is given and the channel has another one. */
  open(topic: string, { config, ...flat }: RealtimeChannelOptions): RealtimeChannel<Db> {
    const joined = { ...config, ...flat };
    const text = meaningOf(joined);
    let channel = this.#channels.get(topic);
    if (!channel) {
      channel = new RealtimeChannel<Db>(topic, joined, this);
      this.#channels.set(topic, channel);
      this.#configs.set(channel, text);
      // A failure is reported when the channel subscribes.
      this.#connect().catch(() => undefined);
    } else if (Object.keys(joined).length > 0 && text !== this.#configs.get(channel)) {
      throw new TypeError(`The channel ${topic} is there with another config: remove it first`);
    }
    return channel;
  }

  list(): RealtimeChannel<Db>[] {
    return [...this.#channels.values()];
  }

  add(channel: RealtimeChannel<Db>, topic: string): void {
    if ((this.#channels.get(topic) ?? channel) !== channel) {
      throw new TypeError(`The client has another channel ${topic}: remove it first`);
    }
    this.#channels.set(topic, channel);
  }

  remove(channel: object, topic: string): void {
    if (this.#channels.get(topic) === channel) this.#channels.delete(topic);
  }

  async join(subscription: Subscription): Promise<Membership | undefined> {
    for (let failures = 0; !subscription.isClosed; failures += 1) {
      // The next attempt depends on the result of this one.
      try {
        return (await this.#connect()).join(subscription);
      } catch (thrown) {
        subscription.report('CHANNEL_ERROR', unreachable(thrown));
        const ms = randomPauseMs(reconnection, failures);
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    }
    return undefined;
  }

  #connect(): Connecting {
    this.#connection ??= import('./connection.js')
      .then(({ Connection }) => new Connection(this.#options))
      .catch((thrown: unknown) => {
        this.#connection = undefined;
        throw thrown;
      });
    return this.#connection;
  }
}

/** The same text for configs that mean the same. */
function meaningOf(config: RealtimeChannelConfig): string {
  const { private: isPrivate = false, broadcast: { self = false, ack = false } = {} } = config;
  return JSON.stringify([isPrivate, self, ack, config.presence?.key ?? null]);
}

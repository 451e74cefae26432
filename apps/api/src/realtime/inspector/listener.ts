// A channel that an administrator has joined as another caller: a connection of the hub like that of a client, whose frames go
// into a stream. All limits, policies and refusals are those of clients.
import { randomUUID } from 'node:crypto';

import type { AppError } from '#libs/errors';
import { clientOf, type Frame, type Hub, type Member, type RealtimeSocket } from '#libs/realtime';
import { type ClientEvent, parseFrame } from '#libs/realtime-core';
import type { Credential, JsonRecord } from '#libs/wire';

import { publicError } from '../refusals.js';

export interface WantedListener {
  readonly credential: Credential;
  /** The payload of `rt:join`, as it was sent. */
  readonly join: JsonRecord;
  /** What is tracked after the join; undefined: nothing. */
  readonly presence: JsonRecord | undefined;
}

/** Where the events of a listener go. */
export interface ListenerStream {
  readonly bytesWaiting: number;
  /** `fields` is the text of a JSON object. */
  send(event: string, fields: string): void;
  onRefusal(error: AppError, event: ClientEvent | 'connect'): void;
  /** The listener receives nothing any more. */
  onEnd(): void;
}

export class Listener {
  #member: Member | undefined;
  #isClosed = false;

  constructor(
    private readonly hub: Hub,
    private readonly wanted: WantedListener,
    private readonly stream: ListenerStream,
  ) {}

  /** Connects, joins and tracks. What is refused is an event of the stream: it does not reject. */
  async open(): Promise<void> {
    const { credential, presence } = this.wanted;
    const member = await this.#carryOut('connect', () =>
      this.hub.connect(this.#socket(), credential),
    );
    if (!member) return;
    this.#member = member;
    if (this.#isClosed) {
      this.hub.disconnect(member);
      return;
    }
    const ack = await this.#carryOut('rt:join', () => this.#join(member));
    if (!ack) {
      this.close();
      return;
    }
    this.#send('joined', { ...clientOf(member), ack });
    if (presence) await this.#carryOut('rt:track', () => this.#track(member, presence));
  }

  close(): void {
    this.#isClosed = true;
    if (this.#member) this.hub.disconnect(this.#member);
  }

  async #join(member: Member): Promise<object> {
    return this.hub.frames.join(member, parseFrame('rt:join', this.wanted.join));
  }

  async #track(member: Member, payload: JsonRecord): Promise<object> {
    const { topic } = this.wanted.join;
    return this.hub.frames.track(member, parseFrame('rt:track', { topic, payload }));
  }

  /** The value of a step; undefined if it was refused. Only a refused `rt:track` leaves the listener joined. */
  async #carryOut<Value>(
    event: ClientEvent | 'connect',
    step: () => Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      return await step();
    } catch (thrown) {
      const error = publicError(thrown);
      const member = this.#member;
      const { topic } = this.wanted.join;
      this.hub.inspection.noteRefusal(event, error, { topic, ...(member && { member }) });
      this.stream.onRefusal(error, event);
      const { code, message, hint } = error;
      this.#send('refused', { event, code, message, ...(hint !== undefined && { hint }) });
      if (event !== 'rt:track') this.stream.onEnd();
      return undefined;
    }
  }

  #socket(): RealtimeSocket {
    const { stream } = this;
    return {
      // Administrators see in the figures that it is one of their own.
      id: `inspector-${randomUUID()}`,
      get bufferedBytes() {
        return stream.bytesWaiting;
      },
      send: ({ event, json }: Frame) =>
        stream.send('frame', `{"event":${JSON.stringify(event)},"frame":${json}}`),
      close: ({ code, message }) => {
        this.#send('ended', { code, message });
        stream.onEnd();
        // The hub is not changed while it works through its members.
        setImmediate(() => this.close());
      },
    };
  }

  #send(event: string, fields: object): void {
    if (!this.#isClosed) this.stream.send(event, JSON.stringify(fields));
  }
}

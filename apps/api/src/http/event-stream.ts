// What happens, as events of a stream (server-sent events, WHATWG HTML section 9.2). It ends after a minute at most, and its
// reader opens it again: a right to read it that was taken away ends, too.
import { Readable } from 'node:stream';

/** A reader waits this long before it opens the stream again; milliseconds. */
const retryMs = 100;
/** Something is sent at least this often, so that nothing between takes the connection for dead. */
const silenceMs = 15_000;
/** Bytes that may wait for a reader before the stream has no room. */
const waitingBytes = 256 * 1024;

interface StreamOwner {
  /** The reader has read: there is room again. */
  readonly onRoom?: () => void;
  /** The stream has ended, or its reader is gone. Called once. */
  readonly onStop: () => void;
}

/** A stream of events for one reader. */
export class EventStream {
  readonly readable: Readable;
  readonly #owner: StreamOwner;
  #hasRoom = true;
  #hasStopped = false;
  #silence: NodeJS.Timeout | undefined;
  #lifetime: NodeJS.Timeout | undefined;

  constructor(owner: StreamOwner) {
    this.#owner = owner;
    this.readable = new Readable({
      highWaterMark: waitingBytes,
      read: () => {
        this.#hasRoom = true;
        owner.onRoom?.();
      },
      destroy: (error, done) => {
        this.#stop();
        done(error);
      },
    });
  }

  /** False while more waits than a reader may leave. What is sent all the same waits, too. */
  get hasRoom(): boolean {
    return this.#hasRoom;
  }

  get bytesWaiting(): number {
    return this.readable.readableLength;
  }

  /** Sends the head of the stream, and ends it after `seconds`. */
  start(seconds: number): void {
    this.#silence = setInterval(() => {
      if (this.#hasRoom) this.#push(': \n\n');
    }, silenceMs).unref();
    this.#lifetime = setTimeout(() => this.end(), seconds * 1000).unref();
    this.#push(`retry: ${retryMs}\n\n`);
  }

  /** `json` is the text of a JSON value; line breaks between its parts become spaces, which mean the same in JSON. */
  send(event: string, json: string): void {
    this.#push(`event: ${event}\ndata: ${json.replace(/[\r\n]+/g, ' ')}\n\n`);
  }

  end(): void {
    if (this.#hasStopped) return;
    this.#stop();
    if (!this.readable.readableEnded) this.readable.push(null);
  }

  #push(text: string): void {
    if (!this.#hasStopped) this.#hasRoom = this.readable.push(text);
  }

  #stop(): void {
    if (this.#hasStopped) return;
    this.#hasStopped = true;
    clearInterval(this.#silence);
    clearTimeout(this.#lifetime);
    this.#owner.onStop();
  }
}

export interface StreamEvent {
  /** The name of the event. */
  readonly kind: string;
}

interface Listener {
  event(event: StreamEvent): void;
  /** Nothing more will happen. */
  end(): void;
}

/**
 * Opens a stream of what `watch` reports to its listener, for `seconds`. What a reader does not read in time is left out
 * and counted. `watch` returns the function that takes the listener away; the end of the stream calls it. Throws what
 * `watch` throws.
 */
export function openEventStream(
  watch: (listener: Listener) => () => void,
  seconds: number,
): Readable {
  let omitted = 0;
  let stop = (): void => undefined;
  const stream = new EventStream({
    onRoom() {
      if (omitted === 0) return;
      const events = omitted;
      omitted = 0;
      send({ kind: 'omitted', events });
    },
    onStop: () => stop(),
  });
  const send = (event: StreamEvent & Readonly<Record<string, unknown>>): void => {
    const at = new Date().toISOString();
    stream.send(event.kind, JSON.stringify({ at, ...event }));
  };
  stop = watch({
    event(event) {
      if (stream.hasRoom) send({ ...event });
      else omitted += 1;
    },
    end: () => stream.end(),
  });
  stream.start(seconds);
  return stream.readable;
}

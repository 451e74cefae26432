// What the server sends to a client: the name of an event and its payload as the text of JSON. One frame goes to many
// sockets and is encoded once for all of them.
import type { AppError } from '#libs/errors';

export class Frame {
  /** The bytes of a transport, made by the first socket that sends the frame. */
  encoded: Uint8Array | undefined;

  constructor(
    readonly event: ServerEvent,
    /** Text of a JSON object. */
    readonly json: string,
  ) {}

  /** A frame of a value. */
  static of(event: ServerEvent, value: object): Frame {
    return new Frame(event, JSON.stringify(value));
  }
}

/** `rt:system` with an error: of a channel or some of its bindings, or without a topic of the connection. */
export function errorFrame(
  { code, message, retryAfterSeconds }: AppError,
  topic?: string,
  bindings?: readonly string[],
): Frame {
  return Frame.of('rt:system', {
    ...(topic !== undefined && { t: topic }),
    ...(bindings && { b: bindings }),
    status: 'error',
    code,
    message,
    ...(retryAfterSeconds !== undefined && { retryAfterMs: Math.ceil(retryAfterSeconds * 1000) }),
  });
}

/** The names of the frames that the server sends. */
export type ServerEvent = 'rt:pg' | 'rt:msg' | 'rt:presence' | 'rt:system';

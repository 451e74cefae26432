// Messages that arrive over HTTP. The limit of their size is checked where the settings are known.
import { FrameFields, invalidFrame } from './fields.js';

/** A message to everybody who has joined a topic. */
export interface BroadcastMessage {
  readonly topic: string;
  readonly isPrivate: boolean;
  readonly event: string;
  /** Text of a JSON value. */
  readonly payload: string;
}

/** Of one request. */
export const maxBroadcastMessages = 100;

/** Parses the body of a broadcast. Throws INVALID_FRAME with the path of the first wrong field. */
export function parseBroadcast(body: unknown): readonly BroadcastMessage[] {
  const messages = new FrameFields(body, '', ['messages']).list('messages');
  if (messages.length === 0) throw invalidFrame('messages', 'must have at least one message');
  if (messages.length > maxBroadcastMessages) {
    throw invalidFrame('messages', `must have at most ${maxBroadcastMessages} messages`);
  }
  return messages.map((message, index) => parseMessage(message, `messages[${index}]`));
}

function parseMessage(value: unknown, path: string): BroadcastMessage {
  const fields = new FrameFields(value, path, ['topic', 'event', 'payload', 'private']);
  return {
    topic: fields.name('topic'),
    isPrivate: fields.flag('private'),
    event: fields.name('event'),
    payload: JSON.stringify(fields.value('payload') ?? null),
  };
}

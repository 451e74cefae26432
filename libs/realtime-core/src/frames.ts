// The frames of clients. In comes what a client sent, which may be anything; out comes a tagged value that the rest of
// the product trusts, or INVALID_FRAME with the path of the first wrong field. Limits of projects (bytes, numbers of
// channels and bindings) are checked where the settings are known; here those that no settings can raise.
//
// A field that is not known is refused, as on the routes with a body: a misspelt `presense` would otherwise be ignored,
// and the client would wait for frames that never come.
import type { JsonRecord } from '#libs/wire';

import { FrameFields, invalidFrame } from './fields.js';
import { parseJoinConfig, type JoinConfig } from './join-config.js';

/** The events that a client may send. */
const clientEvents = [
  'rt:join',
  'rt:leave',
  'rt:send',
  'rt:track',
  'rt:untrack',
  'rt:token',
] as const;
export type ClientEvent = (typeof clientEvents)[number];

/** A frame of a client. */
export type ClientFrame =
  | {
      readonly kind: 'join';
      readonly topic: string;
      readonly config: JoinConfig;
      /** The cursor up to which the client has received the changes; not decoded yet. */
      readonly resume: string | undefined;
    }
  | { readonly kind: 'leave'; readonly topic: string }
  | {
      readonly kind: 'send';
      readonly topic: string;
      readonly event: string;
      /** Any JSON value; null if the client sent none. */
      readonly payload: unknown;
    }
  | { readonly kind: 'track'; readonly topic: string; readonly payload: JsonRecord }
  | { readonly kind: 'untrack'; readonly topic: string }
  | { readonly kind: 'token'; readonly token: string };

/** The frame that a client sends with an event. */
type FrameOf<Event extends ClientEvent> = Event extends `rt:${infer Kind}`
  ? Extract<ClientFrame, { readonly kind: Kind }>
  : never;

/** Longer than every cursor that the server gives out. */
const maxCursorLength = 16_384;
/** Longer than every token of an issuer; headers of requests have the same limit. */
const maxTokenLength = 16_384;

/** Whether `event` is the name of a frame of clients. */
export function isClientEvent(event: string): event is ClientEvent {
  return clientEvents.some((known) => known === event);
}

/**
 * Parses the value that a client sent with `event`. Throws INVALID_FRAME with the path of the first wrong field, and
 * TOO_MANY_BINDINGS.
 */
export function parseFrame<Event extends ClientEvent>(event: Event, value: unknown): FrameOf<Event>;
export function parseFrame(event: ClientEvent, value: unknown): ClientFrame {
  switch (event) {
    case 'rt:join': {
      const fields = new FrameFields(value, '', ['topic', 'config', 'resume']);
      const topic = fields.name('topic');
      const resume = fields.text('resume', maxCursorLength);
      return { kind: 'join', topic, config: parseJoinConfig(fields), resume };
    }
    case 'rt:leave':
      return { kind: 'leave', topic: onlyTopic(value) };
    case 'rt:send': {
      const fields = new FrameFields(value, '', ['topic', 'event', 'payload']);
      const topic = fields.name('topic');
      return {
        kind: 'send',
        topic,
        event: fields.name('event'),
        payload: fields.value('payload') ?? null,
      };
    }
    case 'rt:track': {
      const fields = new FrameFields(value, '', ['topic', 'payload']);
      return { kind: 'track', topic: fields.name('topic'), payload: fields.object('payload') };
    }
    case 'rt:untrack':
      return { kind: 'untrack', topic: onlyTopic(value) };
    case 'rt:token': {
      const fields = new FrameFields(value, '', ['token']);
      const token = fields.text('token', maxTokenLength);
      if (token === undefined) throw invalidFrame('token', 'is required');
      return { kind: 'token', token };
    }
  }
}

function onlyTopic(value: unknown): string {
  return new FrameFields(value, '', ['topic']).name('topic');
}

// Signatures by which a receiver knows that a call comes from this project (Standard Webhooks 1.0, symmetric).
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { fail } from '#libs/errors';

const SECRET = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/;
const secretBytes = 32;
const minSecretBytes = 24;
const maxSecretBytes = 64;
const toleranceSeconds = 300;

export interface WebhookMessage {
  /** `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string;
  /** The same for every delivery attempt of one message, so that a receiver recognises it. Has no dot. */
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** A type, not an interface, so that it is a record of headers as well. */
export type WebhookHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

/** Returns the three headers of a signed message. Throws INVALID_INPUT if the secret is invalid. */
export function signWebhook(message: WebhookMessage): WebhookHeaders {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': `v1,${signatureOf(message)}`,
  };
}

export interface ReceivedWebhook {
  readonly secret: string;
  readonly headers: Headers;
  readonly body: string;
  readonly nowSeconds: number;
}

/**
 * Whether one of the signatures of a received message is valid and its timestamp is at most five minutes off. Throws
 * INVALID_INPUT if the secret is invalid.
 */
export function verifyWebhook({ secret, headers, body, nowSeconds }: ReceivedWebhook): boolean {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const timestampSeconds = Number(timestamp);
  const expected = Buffer.from(signatureOf({ secret, id, timestampSeconds, body }));
  if (id === '' || !/^\d{1,15}$/.test(timestamp)) return false;
  if (Math.abs(nowSeconds - timestampSeconds) > toleranceSeconds) return false;
  return (headers.get('webhook-signature') ?? '').split(' ').some((entry) => {
    if (!entry.startsWith('v1,')) return false;
    const given = Buffer.from(entry.slice('v1,'.length));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** A new secret of 32 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** Whether {@link signWebhook} accepts the text as a secret. */
export function isWebhookSecret(text: string): boolean {
  return keyOf(text) !== undefined;
}

function signatureOf({ secret, id, timestampSeconds, body }: WebhookMessage): string {
  const key = keyOf(secret);
  if (key === undefined) {
    const reason = `must be whsec_ and ${minSecretBytes} to ${maxSecretBytes} bytes in base64`;
    throw fail('INVALID_INPUT', { field: 'secret', reason });
  }
  return createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64');
}

function keyOf(secret: string): Buffer | undefined {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= minSecretBytes && key.length <= maxSecretBytes ? key : undefined;
}

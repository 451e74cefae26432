import { type HttpAnswer, type HttpCall, isRecord, type JsonRecord, parseJson } from '#libs/wire';

/** Calls an HTTP address; resolves with any answer and rejects if there is none. */
export type SmsCall = HttpCall;

export type SmsAnswer = HttpAnswer;

/** The headers that prove to a webhook who sent `body` (Standard Webhooks). */
export type SignWebhook = (message: {
  readonly secret: string;
  readonly body: string;
}) => Readonly<Record<string, string>>;

export interface Sms {
  /** In E.164: a plus sign, country code and number. */
  readonly to: string;
  readonly text: string;
  /** The purpose of the text, e.g. `phoneOtp`; only webhooks receive it. */
  readonly kind?: string;
}

/** The request to a provider for one message. */
export interface SmsRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The meaning of a provider's answer. */
export type SmsOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** The provider has trouble; the same message may succeed later. */
  | { readonly kind: 'failing'; readonly reason: string };

/** A way to send SMS. */
export interface SmsProvider {
  /** Values that must never be shown. */
  readonly secrets: readonly string[];
  requestFor(sms: Sms): SmsRequest;
  outcomeOf(answer: SmsAnswer): SmsOutcome;
}

/** The answer's body as an object with unknown fields; without any when it is something else. */
export function bodyOf(answer: SmsAnswer): JsonRecord {
  const value = parseJson(answer.text);
  return isRecord(value) ? value : {};
}

/** The outcome by status alone; `reason` is the provider's explanation of a rejection. */
export function outcomeByStatus({ status }: SmsAnswer, reason: unknown): SmsOutcome {
  if (status >= 200 && status <= 299) return { kind: 'sent' };
  const said = typeof reason === 'string' && reason !== '' ? reason : `it answered ${status}`;
  // 429: too many requests at the moment (RFC 6585 §4).
  return { kind: status >= 500 || status === 429 ? 'failing' : 'refused', reason: said };
}

/** `base` has no trailing slash. */
export function withoutSlash(base: string): string {
  return base.replace(/\/+$/, '');
}

export const formHeaders = {
  accept: 'application/json',
  'content-type': 'application/x-www-form-urlencoded',
} as const;
export const jsonHeaders = {
  accept: 'application/json',
  'content-type': 'application/json',
} as const;

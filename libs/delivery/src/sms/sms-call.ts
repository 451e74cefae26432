import { type HttpAnswer, type HttpCall, isRecord, type JsonRecord } from '#libs/wire';

/** A call of an HTTP address; resolves with any answer and rejects when there is none. */
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
  /** What the text is for, e.g. `phoneOtp`; only a webhook is told. */
  readonly kind?: string;
}

/** What a provider is sent for a message. */
export interface SmsRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the answer of a provider means. */
export type SmsOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** The provider itself has trouble: the same message may go through later. */
  | { readonly kind: 'failing'; readonly reason: string };

/** One way to send SMS. */
export interface SmsProvider {
  /** What must be shown to nobody. */
  readonly secrets: readonly string[];
  requestFor(sms: Sms): SmsRequest;
  outcomeOf(answer: SmsAnswer): SmsOutcome;
}

/** The answer's body as an object with unknown fields; without any when it is something else. */
export function bodyOf(answer: SmsAnswer): JsonRecord {
  try {
    const value: unknown = JSON.parse(answer.text);
    return isRecord(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The outcome that the status alone tells; `reason` is what the provider said of a refusal. */
export function outcomeByStatus({ status }: SmsAnswer, reason: unknown): SmsOutcome {
  if (status >= 200 && status <= 299) return { kind: 'sent' };
  const said = typeof reason === 'string' && reason !== '' ? reason : `it answered ${status}`;
  // 429: too many requests at the moment (RFC 6585 §4).
  return { kind: status >= 500 || status === 429 ? 'failing' : 'refused', reason: said };
}

/** `base` without a slash at its end. */
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

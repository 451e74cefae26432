import { AppError, type ErrorCode } from '#libs/errors';
import { HookAnswerError } from '#libs/hooks';
import { OpenSecretError } from '#libs/secrets';

import type { SealedValues } from './message-seal.js';

/**
 * How long after its first, second, … failure a message is tried again; the last value is used for all further ones.
 */
const retrySeconds = [10, 60, 300, 900, 3600, 7200, 14_400];
/** A failed message with less time left than this is given up. */
const minSecondsLeft = 60;
const maxReasonLength = 500;
/** Shorter values occur in any sentence. */
const minSecretLength = 4;

/** Errors that another try cannot fix unless an administrator changes the settings. */
const permanent: ReadonlySet<string> = new Set<ErrorCode>([
  'MAIL_REFUSED',
  'SMS_REFUSED',
  'EMAIL_NOT_CONFIGURED',
  'SMS_NOT_CONFIGURED',
]);
/** Statuses with which a hook asks for a later retry (RFC 9110 §15.5.9, RFC 6585 §4). */
const patientStatuses: ReadonlySet<number> = new Set([408, 429]);

/** Whether the same message may succeed later. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof OpenSecretError) return false;
  if (!(error instanceof AppError)) return true;
  if (error.cause instanceof HookAnswerError) {
    const { status } = error.cause;
    return status >= 500 || patientStatuses.has(status);
  }
  return !permanent.has(error.code);
}

/** Returns the reason of a failure for administrators, without any of the values of the message. */
export function reasonOf(error: unknown, values: SealedValues): string {
  if (error instanceof OpenSecretError) return 'The stored values of the message cannot be read';
  if (!(error instanceof AppError)) return 'The message could not be sent: internal error';
  return Object.values(values)
    .filter((value) => typeof value === 'string' && value.length >= minSecretLength)
    .reduce<string>((text, value) => text.replaceAll(String(value), '…'), error.message)
    .replaceAll('\0', '')
    .slice(0, maxReasonLength);
}

/**
 * Returns the seconds until the next try of a message that has failed `attempts` times; undefined if it is given up. A
 * message that expires before the usual time is tried again after half of the remaining time.
 */
export function nextDelaySeconds(attempts: number, secondsLeft: number): number | undefined {
  const usual = retrySeconds[Math.min(attempts, retrySeconds.length) - 1] ?? 0;
  if (usual < secondsLeft) return usual;
  return secondsLeft >= minSecondsLeft ? secondsLeft / 2 : undefined;
}

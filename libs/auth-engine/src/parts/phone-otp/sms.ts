import { randomInt } from 'node:crypto';
import type { AuthConfig, AuthSms } from '../../auth-config.js';
import { guessable, guessValue, keepValue } from '../../one-time-values.js';
import { codeDigest } from '../email-otp/codes.js';

const daySeconds = 86_400;

/**
 * Counts an SMS to `phoneNumber`, then one to all numbers of the project in a day, so that a refused SMS to one number
 * does not use up the limit of the others. Call it before looking for the account, so that the answer is the same with
 * and without one. Throws RATE_LIMITED.
 */
export async function countSms(
  { settings, limit }: Pick<AuthConfig, 'settings' | 'limit'>,
  phoneNumber: string,
): Promise<void> {
  const { sendSms, smsPerDay } = settings['auth.rateLimits'];
  if (settings['security.rateLimit'].enabled) {
    const rule = { windowSeconds: sendSms.windowSeconds, max: sendSms.perIdentifier };
    await limit([{ key: `sendSms:id:${phoneNumber}`, rule }]);
  }
  // The limit of the day bounds the cost of an attack, also where requests are not limited.
  await limit([{ key: 'sendSms:day', rule: { windowSeconds: daySeconds, max: smsPerDay } }]);
}

/** What a code is good for. */
export type PhonePurpose = 'signIn' | 'resetPassword';

interface CodeOf {
  readonly purpose: PhonePurpose;
  readonly phoneNumber: string;
}

/** `length` random digits. */
export function randomDigits(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, '0');
}

/** Makes a code for a number, which replaces an earlier one, and stores its digest. */
export async function issuePhoneCode(config: AuthConfig, of: CodeOf): Promise<string> {
  const { otpLength, expiresIn } = config.settings['auth.phoneOtp'];
  const code = randomDigits(otpLength);
  await keepValue(config.pool, {
    identifier: identifierOf(of),
    value: guessable(digestOf(config, of, code)),
    expiresInSeconds: expiresIn,
  });
  return code;
}

/** Returns whether `code` is the one that was sent; a right code is used up. Every call counts as a guess. */
export function guessPhoneCode(config: AuthConfig, of: CodeOf, code: string): Promise<boolean> {
  return guessValue(config.pool, {
    identifier: identifierOf(of),
    digest: digestOf(config, of, code),
    maxGuesses: config.settings['auth.phoneOtp'].allowedAttempts,
  });
}

/** Hands an SMS over. A failure is logged and does not show: it would reveal whether there is an account. */
export async function sendSmsQuietly(
  { messages, log }: Pick<AuthConfig, 'messages' | 'log'>,
  sms: AuthSms,
): Promise<void> {
  try {
    await messages.sms?.(sms);
  } catch (error) {
    log({ level: 'error', message: `An SMS of the kind ${sms.kind} was not sent`, cause: error });
  }
}

function identifierOf({ purpose, phoneNumber }: CodeOf): string {
  return `phone:${purpose}:${phoneNumber}`;
}

function digestOf({ secret }: AuthConfig, of: CodeOf, code: string): string {
  return codeDigest(secret, `${identifierOf(of)}:${code}`);
}

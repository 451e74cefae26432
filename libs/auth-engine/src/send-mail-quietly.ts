import type { AuthConfig, AuthMail } from './auth-config.js';
import { isStandInAddress } from './sign-up-policy.js';

/**
 * Hands a mail over whose failure must not show: the answer would reveal whether there is an account. What
 * fails is logged. Nothing is sent to addresses that only stand in for one.
 */
export async function sendMailQuietly(
  { messages, log }: Pick<AuthConfig, 'messages' | 'log'>,
  mail: AuthMail,
): Promise<void> {
  if (isStandInAddress(mail.to)) return;
  try {
    await messages.mail(mail);
  } catch (error) {
    log({ level: 'error', message: `A mail of the kind ${mail.kind} was not sent`, cause: error });
  }
}

/** A duration for a mail: whole minutes, at least one. */
export function inMinutes(seconds: number): number {
  return Math.max(1, Math.round(seconds / 60));
}

import { fail } from '#libs/errors';
import { normalizePassword } from '#libs/passwords';
import { randomInt } from 'node:crypto';

export const minPasswordLength = 12;
export const maxPasswordLength = 128;
const generatedLength = 24;

// Without letters and digits that look alike: people type generated passwords.
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A random password of 24 characters (139 bits), to be shown once. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join(
    '',
  );
}

/** Throws INVALID_INPUT, naming `field`, if the normalized password does not meet the rules for operators. */
export function checkNewPassword(field: string, password: string): void {
  const { length } = normalizePassword(password);
  if (length < minPasswordLength) {
    throw fail('INVALID_INPUT', { field, reason: `it needs ${minPasswordLength} characters` });
  }
  if (length > maxPasswordLength) {
    throw fail('INVALID_INPUT', { field, reason: `it has over ${maxPasswordLength} characters` });
  }
}

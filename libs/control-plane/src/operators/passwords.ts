import { fail } from '#libs/errors';
import { hash, verify } from '@node-rs/argon2';
import { randomInt } from 'node:crypto';

export const minPasswordLength = 12;
export const maxPasswordLength = 128;
const generatedLength = 24;

// Argon2id (the package's default kind) at the first parameters that OWASP recommends.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

// Without letters and digits that look alike: generated passwords are typed by people.
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

export function verifyPassword(candidate: {
  readonly hash: string;
  readonly password: string;
}): Promise<boolean> {
  return verify(candidate.hash, candidate.password);
}

/** A random password of 24 characters (139 bits), to be shown once. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join(
    '',
  );
}

/** Throws INVALID_INPUT, naming `field`, when an operator may not choose this password. */
export function checkNewPassword(field: string, password: string): void {
  if (password.length < minPasswordLength) {
    throw fail('INVALID_INPUT', { field, reason: `it needs ${minPasswordLength} characters` });
  }
  if (password.length > maxPasswordLength) {
    throw fail('INVALID_INPUT', { field, reason: `it has over ${maxPasswordLength} characters` });
  }
}

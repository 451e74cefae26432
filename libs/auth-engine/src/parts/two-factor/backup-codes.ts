import { randomInt } from 'node:crypto';
import { codeDigest } from '../email-otp/codes.js';

// Without letters and digits that are easily taken for each other.
const letters = '23456789abcdefghjkmnpqrstuvwxyz';
const groupLength = 5;
const groups = 2;

/** `count` new backup codes, such as `k3m8p-q7rzd`: 49 random bits each. */
export function newBackupCodes(count: number): readonly string[] {
  return Array.from({ length: count }, () => Array.from({ length: groups }, randomGroup).join('-'));
}

function randomGroup(): string {
  return Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');
}

/** What is stored of a code; it does not matter how the code was typed. */
export function backupCodeDigest(
  { secret }: { readonly secret: string },
  { userId, code }: { readonly userId: string; readonly code: string },
): string {
  const typed = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return codeDigest(secret, `backup:${userId}:${typed}`);
}

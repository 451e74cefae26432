import { fail } from '#libs/errors';
import { randomInt } from 'node:crypto';

const refPattern = /^[a-z][a-z0-9]{2,30}$/;
const generatedLength = 12;
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Names that hosts, roles or databases of the platform have, or that are misleading. */
const reserved: ReadonlySet<string> = new Set(
  `admin administrator anon api app assets auth authenticated cdn console control dashboard database
   docs engine ftp grafana health help imap internal jobs livez localhost login mail metrics ns1 ns2
   operator owner platform pop3 postgres project projects public readyz root rowhouse service smtp
   static status storage studio support system template template0 template1 test web webmail www`
    .trim()
    .split(/\s+/),
);

/** Whether a text has the form of a ref: a label of a host name that is also an SQL identifier. */
export function isRef(text: string): boolean {
  return refPattern.test(text);
}

/** Throws INVALID_INPUT for a ref that cannot be given to a new project. */
export function assertFreeToName(ref: string): void {
  if (!isRef(ref)) {
    throw fail('INVALID_INPUT', {
      field: 'ref',
      reason: 'use 3 to 31 lower case letters and digits, a letter first',
    });
  }
  if (reserved.has(ref) || ref.startsWith('rowhouse')) {
    throw fail('INVALID_INPUT', { field: 'ref', reason: `"${ref}" is reserved` });
  }
}

/** A random ref of 12 letters and digits. */
export function newRef(): string {
  const pick = (from: string): string => from.charAt(randomInt(from.length));
  const rest = Array.from({ length: generatedLength - 1 }, () => pick(`${letters}0123456789`));
  return pick(letters) + rest.join('');
}

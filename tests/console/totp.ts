import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const stepSeconds = 30;

/**
 * The code that an authenticator shows for a key in base32 (RFC 6238, SHA-1, 6 digits), `steps` of 30
 * seconds from now. Servers accept the neighbors of the current one; the one before is no good for a
 * test, because time may go on before it arrives.
 */
export function totp(secret: string, steps = 0): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / stepSeconds) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

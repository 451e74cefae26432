// Codes of authenticator apps: HMAC-SHA1 over the number of a 30-second step, six digits, which is what every
// app understands (RFC 6238, RFC 4226).
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const digits = 6;
const stepSeconds = 30;
/** Clocks of phones are a little off, and typing takes time: the steps beside the current one count too. */
const driftSteps = 1;
/** The length that RFC 4226 §4 recommends. */
const secretBytes = 20;
const codePattern = /^\d{6}$/;

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret in base32 (RFC 4648 §6, without padding), as apps take it. */
export function newTotpSecret(): string {
  // 20 bytes are 32 letters exactly; a byte modulo 32 is as even as five bits.
  return [...randomBytes((secretBytes * 8) / 5)].map((byte) => base32Letters[byte % 32]).join('');
}

/** The address that a QR code shows to an app (the format of Google Authenticator, "Key Uri Format"). */
export function totpUri(key: {
  readonly secret: string;
  readonly issuer: string;
  /** Whose account it is, as the app shows it. */
  readonly account: string;
}): string {
  // A colon ends the issuer, and some apps do not decode it.
  const [issuer, account] = [key.issuer, key.account].map((text) => text.replaceAll(':', ' '));
  const label = `${encodeURIComponent(issuer ?? '')}:${encodeURIComponent(account ?? '')}`;
  const parameters = Object.entries({
    secret: key.secret,
    issuer: issuer ?? '',
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(stepSeconds),
  }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${label}?${parameters.join('&')}`;
}

/** The steps around `nowMs` whose code is `code`, the oldest first; none for anything that is no code. */
export function stepsOfCode(secret: string, code: string, nowMs: number): readonly number[] {
  if (!codePattern.test(code)) return [];
  const key = base32Bytes(secret);
  const now = Math.floor(nowMs / 1000 / stepSeconds);
  const around = Array.from({ length: 2 * driftSteps + 1 }, (_, i) => now - driftSteps + i);
  return around.filter((step) =>
    timingSafeEqual(Buffer.from(codeAt(key, step)), Buffer.from(code)),
  );
}

function codeAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hmac = createHmac('sha1', key).update(counter).digest();
  const offset = hmac.readUInt8(hmac.length - 1) & 0x0f;
  const number = hmac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

function base32Bytes(text: string): Buffer {
  let bits = 0;
  let value = 0;
  const bytes: number[] = [];
  for (const letter of text) {
    value = ((value << 5) | base32Letters.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}

// Secrets at rest: AES-256-GCM envelopes. A data key per project seals that project's secrets; the
// master key of the deployment seals the data keys. The envelope names its key, so that keys can rotate.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const version = 'v1';

/** A 32-byte key and the short name under which envelopes refer to it. */
export interface SealingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Thrown if the envelope was sealed with another key, or was changed. */
export class OpenSecretError extends Error {}

/** Returns the key with these 32 bytes. Its id is the start of their SHA-256, so equal bytes have equal ids. */
export function sealingKey(bytes: Buffer): SealingKey {
  if (bytes.length !== 32) throw new RangeError('a sealing key has 32 bytes');
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** Returns 32 random bytes; seal them with the master key and keep them beside the data they protect. */
export function newDataKey(): Buffer {
  return randomBytes(32);
}

/**
 * Returns `text` as an envelope `v1.<key id>.<base64url of nonce, ciphertext and tag>`. `context` says where the
 * envelope belongs (e.g. `project:abc/settings`); it cannot be opened elsewhere.
 */
export function seal(key: SealingKey, text: string | Buffer, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${key.id}.${sealed.toString('base64url')}`;
}

/**
 * Returns the text that {@link seal} was called with. Throws OpenSecretError for another key, another context or a
 * changed envelope.
 */
export function open(key: SealingKey, envelope: string, context: string): Buffer {
  const [label, keyId, body] = envelope.split('.');
  if (label !== version || keyId === undefined || body === undefined) {
    throw new OpenSecretError('this is not a sealed secret');
  }
  if (keyId !== key.id)
    throw new OpenSecretError(`sealed with the key ${keyId}, not with ${key.id}`);
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) throw new OpenSecretError('the envelope is cut off');
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(bytes.length - tagBytes));
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes)),
      decipher.final(),
    ]);
  } catch (cause) {
    throw new OpenSecretError('the envelope was changed or belongs elsewhere', { cause });
  }
}

/** A key for one purpose, derived from another (RFC 5869). The same inputs give the same 32 bytes. */
export function deriveKey(from: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', from, Buffer.alloc(0), purpose, 32));
}

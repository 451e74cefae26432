import { createHash } from 'node:crypto';

/** Prefixes of the identifiers of challenges and trusted devices. */
export const identifierPrefixes = { challenge: '2fa-', trustedDevice: 'trust-device-' } as const;

/**
 * Returns the stored form of the identifier of a challenge or a trusted device: its kind and its SHA-256. The random
 * identifier itself is part of the operator's token.
 */
export function storedIdentifier(identifier: string): string {
  const { challenge, trustedDevice } = identifierPrefixes;
  const prefix = identifier.startsWith(trustedDevice) ? trustedDevice : challenge;
  return `${prefix}sha256:${createHash('sha256').update(identifier).digest('hex')}`;
}

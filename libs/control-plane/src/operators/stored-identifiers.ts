import { createHash } from 'node:crypto';

/** What the identifiers of challenges and trusted devices begin with. */
export const identifierPrefixes = { challenge: '2fa-', trustedDevice: 'trust-device-' } as const;

/**
 * What is stored of the identifier of a challenge or a trusted device: its kind and its SHA-256. The random
 * identifier itself is part of the token that the operator was given.
 */
export function storedIdentifier(identifier: string): string {
  const { challenge, trustedDevice } = identifierPrefixes;
  const prefix = identifier.startsWith(trustedDevice) ? trustedDevice : challenge;
  return `${prefix}sha256:${createHash('sha256').update(identifier).digest('hex')}`;
}

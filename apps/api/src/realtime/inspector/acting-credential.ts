// As whom an administrator joins a channel: the credential that the hub looks up live, as that of any other client.
import { type AppError, fail } from '#libs/errors';
import type { Credential } from '#libs/wire';

import { readWrittenClaims } from '../../http/written-claims.js';
import type { RunAsBody } from '../../sql/index.js';

/** Returns the credential for `as`. Throws INVALID_INPUT (400), which names the field. */
export function actingCredential({ role, userId, claims }: RunAsBody): Credential {
  if (userId !== undefined) {
    if (role !== undefined || claims !== undefined) {
      throw invalid('as', 'give a userId, or a role with or without claims');
    }
    return { kind: 'impersonated-user', userId };
  }
  if (role === undefined) throw invalid('as', 'give a role or a userId');
  if (role === 'authenticated') {
    const written = readWrittenClaims(role, claims);
    return { kind: 'third-party', subject: written.sub ?? '', claims: JSON.stringify(written) };
  }
  if (claims !== undefined) throw invalid('as.claims', 'need the role authenticated');
  return { kind: role === 'anon' ? 'impersonated-anon' : 'secret-key' };
}

/** A longer subject is cut off: ids are shorter. */
const maxSubjectLength = 200;

/** How the audit log names it: of claims, which may be secrets, the subject. */
export function auditedAs({ role, userId, claims }: RunAsBody): Readonly<Record<string, unknown>> {
  if (userId !== undefined) return { userId };
  const subject = claims?.['sub'];
  return {
    role,
    ...(typeof subject === 'string' && { sub: subject.slice(0, maxSubjectLength) }),
  };
}

const invalid = (field: string, reason: string): AppError =>
  fail('INVALID_INPUT', { field, reason });

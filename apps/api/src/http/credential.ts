// What a request shows of itself, read from its headers alone. The database says later what it is worth.
import { fail } from '#libs/errors';
import {
  assertionHeader,
  hashProjectKey,
  publishableKeyPrefix,
  secretKeyPrefix,
  verifyAssertion,
} from '#libs/secrets';
import { CAPABILITIES, type Capability, type Credential } from '#libs/wire';

export const impersonationHeader = 'x-service-impersonate';
const maxUserIdLength = 64;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What of a project decides about credentials. */
export interface CredentialContext {
  readonly ref: string;
  readonly keys: { readonly publishable: readonly string[]; readonly secret: readonly string[] };
  /** Whether a request without a valid project key is refused. */
  readonly areKeysEnforced: boolean;
  /** The key that the console signs operator assertions with. */
  readonly assertionKey: Buffer;
  /** The token in a signed value, or undefined when the signature is not this project's. */
  readonly verifySigned: (value: string) => string | undefined;
  /** The session cookie's value when the request may use it (its origin is one of the project's). */
  readonly sessionCookie: () => string | undefined;
  readonly nowSeconds: () => number;
}

/**
 * The credential in `headers`. The secret key wins over a bearer token; an unusable bearer token is no
 * credential. Throws INVALID_API_KEY, IMPERSONATION_REFUSED, INVALID_OPERATOR_ASSERTION.
 */
export function readCredential(headers: Headers, context: CredentialContext): Credential {
  const impersonated = single(headers[impersonationHeader]);
  const assertion = single(headers[assertionHeader]);
  if (assertion !== undefined) {
    if (impersonated !== undefined) throw fail('IMPERSONATION_REFUSED');
    return operatorCredential(assertion, context);
  }
  const bearer = bearerToken(single(headers['authorization']));
  const kind = keyKind(single(headers['apikey']), bearer, context);
  if (context.areKeysEnforced && kind === 'none') throw fail('INVALID_API_KEY');
  if (kind === 'secret') {
    return impersonated === undefined ? { kind: 'secret-key' } : impersonation(impersonated);
  }
  if (impersonated !== undefined) throw fail('IMPERSONATION_REFUSED');
  return sessionCredential(bearer, context);
}

function operatorCredential(assertion: string, context: CredentialContext): Credential {
  const { ref, assertionKey, nowSeconds } = context;
  const verified = verifyAssertion(assertionKey, assertion, { ref, nowSeconds: nowSeconds() });
  if (!verified) throw fail('INVALID_OPERATOR_ASSERTION');
  const { operatorId, email } = verified;
  return {
    kind: 'operator',
    operator: { operatorId, email, capabilities: verified.capabilities.filter(isCapability) },
  };
}

function isCapability(word: string): word is Capability {
  return CAPABILITIES.some((capability) => capability === word);
}

function impersonation(header: string): Credential {
  if (header === 'anon') return { kind: 'impersonated-anon' };
  if (header === '' || header.length > maxUserIdLength) {
    throw fail('INVALID_INPUT', { field: impersonationHeader, reason: 'give a user id or anon' });
  }
  return { kind: 'impersonated-user', userId: header };
}

function sessionCredential(bearer: string | undefined, context: CredentialContext): Credential {
  if (bearer !== undefined) {
    if (isProjectKey(bearer)) return { kind: 'none' };
    const token = bearer.includes('.') ? context.verifySigned(bearer) : bearer;
    return token === undefined ? { kind: 'none' } : { kind: 'session', token };
  }
  const cookie = context.sessionCookie();
  const token = cookie === undefined ? undefined : context.verifySigned(cookie);
  return token === undefined ? { kind: 'none' } : { kind: 'session', token };
}

/** Which kind of project key was shown. A key that is not this project's is an error, not nothing. */
function keyKind(
  apikey: string | undefined,
  bearer: string | undefined,
  { keys }: CredentialContext,
): 'publishable' | 'secret' | 'none' {
  const shown = [apikey, bearer !== undefined && isProjectKey(bearer) ? bearer : undefined];
  let kind: 'publishable' | 'secret' | 'none' = 'none';
  for (const key of shown) {
    if (key === undefined || key === '') continue;
    const hash = hashProjectKey(key);
    // The hashes are compared, not the keys: how long a comparison takes tells nothing about a key.
    if (key.startsWith(secretKeyPrefix) && keys.secret.includes(hash)) kind = 'secret';
    else if (key.startsWith(publishableKeyPrefix) && keys.publishable.includes(hash)) {
      kind = kind === 'secret' ? kind : 'publishable';
    } else throw fail('INVALID_API_KEY');
  }
  return kind;
}

function isProjectKey(token: string): boolean {
  return token.startsWith(secretKeyPrefix) || token.startsWith(publishableKeyPrefix);
}

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8) return undefined;
  if (header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return header.slice(7).trim() || undefined;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

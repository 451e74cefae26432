// Reads the credential of a request from its headers alone. The database lookup decides later whether it is valid. Two
// kinds need a step before that: uses of API keys are counted and tokens of other issuers are verified.
import { createHash } from 'node:crypto';

import type { KeyUse, KeyUses, ThirdParty } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import {
  assertionHeader,
  hashProjectKey,
  publishableKeyPrefix,
  secretKeyPrefix,
  verifyAssertion,
} from '#libs/secrets';
import type { ProjectKeys } from '#libs/project-runtime';
import { CAPABILITIES, type Capability, type Credential } from '#libs/wire';

export const impersonationHeader = 'x-service-impersonate';
const maxUserIdLength = 64;

type Headers = Readonly<Record<string, string | string[] | undefined>>;
type OperatorCredential = Extract<Credential, { readonly kind: 'operator' }>;

const refused = { kind: 'none', isRefused: true } as const;

/** A credential as stated in the headers. */
export type ShownCredential =
  | Exclude<Credential, { readonly kind: 'api-key' | 'third-party' }>
  | { readonly kind: 'shown-api-key'; readonly keyHash: string }
  /** A token of an accepted issuer; nothing is verified. */
  | { readonly kind: 'foreign-token'; readonly token: string };

/** The properties of a project that credentials are checked against. */
export interface CredentialContext {
  readonly ref: string;
  readonly keys: ProjectKeys;
  /** Whether a request without a valid project key is refused. */
  readonly areKeysEnforced: boolean;
  /** The key that the console signs operator assertions with. */
  readonly assertionKey: Buffer;
  /** Whether the request is one on tables or functions, which an operator may send as a user or a visitor. */
  readonly isOnRows: boolean;
  /** The token in a signed value, or undefined when the signature is not this project's. */
  readonly verifySigned: (value: string) => string | undefined;
  /** The session cookie's value when the request may use it (its origin is one of the project's). */
  readonly sessionCookie: () => string | undefined;
  /** The prefix of users' API keys; undefined if the project accepts none. */
  readonly apiKeyPrefix: string | undefined;
  /** Whether a token names an issuer that the project accepts. */
  readonly isForeign: (token: string) => boolean;
  readonly nowSeconds: () => number;
}

/** Counts uses of keys and verifies foreign tokens; undefined if there is nothing to do. */
export interface CredentialSources {
  readonly keyUses: KeyUses | undefined;
  readonly thirdParty: ThirdParty | undefined;
}

/**
 * Returns the operator whom the console asserts in `headers`, or undefined without an assertion. Throws
 * INVALID_OPERATOR_ASSERTION for an assertion of another project, and for an expired one.
 */
export function readOperator(
  headers: Headers,
  { ref, assertionKey, nowSeconds }: CredentialContext,
): OperatorCredential | undefined {
  const assertion = single(headers[assertionHeader]);
  if (assertion === undefined) return undefined;
  const verified = verifyAssertion(assertionKey, assertion, { ref, nowSeconds: nowSeconds() });
  if (!verified) throw fail('INVALID_OPERATOR_ASSERTION');
  const { operatorId, email } = verified;
  return {
    kind: 'operator',
    operator: { operatorId, email, capabilities: verified.capabilities.filter(isCapability) },
  };
}

/**
 * The credential in `headers`; `asserted` is what {@link readOperator} has found in them. The secret key overrides a
 * bearer token; an unusable bearer token is no credential. Throws INVALID_API_KEY, IMPERSONATION_REFUSED,
 * INVALID_OPERATOR_ASSERTION.
 */
export function readCredential(
  headers: Headers,
  context: CredentialContext,
  asserted = readOperator(headers, context),
): ShownCredential {
  const impersonated = single(headers[impersonationHeader]);
  if (asserted !== undefined) {
    if (impersonated === undefined) return asserted;
    // Their capabilities decide on administration, which an administrator of the project would pass without them.
    if (!context.isOnRows || !asserted.operator.capabilities.includes('secrets.manage')) {
      throw fail('IMPERSONATION_REFUSED');
    }
    return impersonation(impersonated);
  }
  const bearer = bearerToken(single(headers['authorization']));
  const kind = keyKind(single(headers['apikey']), bearer, context);
  if (context.areKeysEnforced && kind === 'none') throw fail('INVALID_API_KEY');
  if (kind === 'secret') {
    return impersonated === undefined ? { kind: 'secret-key' } : impersonation(impersonated);
  }
  if (impersonated !== undefined) throw fail('IMPERSONATION_REFUSED');
  return userCredential(bearer, context);
}

/**
 * The credential for the lookup, at once unless a use must be counted or a token verified. An unusable key
 * or token is no credential. Throws API_KEY_EXHAUSTED, ISSUER_UNAVAILABLE.
 */
export function settleCredential(
  shown: ShownCredential,
  { keyUses, thirdParty }: CredentialSources,
): Credential | Promise<Credential> {
  if (shown.kind === 'foreign-token') return verifyForeign(shown.token, thirdParty);
  if (shown.kind !== 'shown-api-key') return shown;
  const { keyHash } = shown;
  const use = keyUses?.count(keyHash) ?? 'unlimited';
  return use instanceof Promise
    ? use.then((counted) => keyCredential(keyHash, counted))
    : keyCredential(keyHash, use);
}

function keyCredential(keyHash: string, use: KeyUse): Credential {
  if (use === 'unknown') return refused;
  return { kind: 'api-key', keyHash, isCounted: use === 'counted' };
}

async function verifyForeign(token: string, thirdParty?: ThirdParty): Promise<Credential> {
  const claims = await thirdParty?.verify(token);
  if (!claims) return refused;
  return { kind: 'third-party', subject: claims.sub, claims: JSON.stringify(claims) };
}

function isCapability(word: string): word is Capability {
  return CAPABILITIES.some((capability) => capability === word);
}

function impersonation(header: string): ShownCredential {
  if (header === 'anon') return { kind: 'impersonated-anon' };
  if (header === '' || header.length > maxUserIdLength) {
    throw fail('INVALID_INPUT', { field: impersonationHeader, reason: 'give a user id or anon' });
  }
  return { kind: 'impersonated-user', userId: header };
}

function userCredential(bearer: string | undefined, context: CredentialContext): ShownCredential {
  if (bearer !== undefined) return bearerCredential(bearer, context);
  const cookie = context.sessionCookie();
  return cookie === undefined ? { kind: 'none' } : sessionCredential(context.verifySigned(cookie));
}

function bearerCredential(bearer: string, context: CredentialContext): ShownCredential {
  if (isProjectKey(bearer)) return { kind: 'none' };
  const { apiKeyPrefix, isForeign, verifySigned } = context;
  if (apiKeyPrefix !== undefined && bearer.startsWith(apiKeyPrefix)) {
    return { kind: 'shown-api-key', keyHash: hashApiKey(bearer) };
  }
  if (!bearer.includes('.')) return { kind: 'session', token: bearer };
  return isForeign(bearer)
    ? { kind: 'foreign-token', token: bearer }
    : sessionCredential(verifySigned(bearer));
}

function sessionCredential(token: string | undefined): ShownCredential {
  return token === undefined ? refused : { kind: 'session', token };
}

/** As the auth engine stores it: base64url without padding. */
function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** The kind of the project key in the request. A key of another project is an error, not the same as no key. */
function keyKind(
  apikey: string | undefined,
  bearer: string | undefined,
  { keys, nowSeconds }: CredentialContext,
): 'publishable' | 'secret' | 'none' {
  let kind: 'publishable' | 'secret' | 'none' = 'none';
  for (const key of shownKeys(apikey, bearer)) {
    if (key === undefined || key === '') continue;
    const hash = hashProjectKey(key);
    // Hashes are compared, not keys, so that the time of a comparison reveals nothing about a key.
    const end = keys.expiresAt?.[hash];
    if (end !== undefined && end <= nowSeconds() * 1000) throw fail('INVALID_API_KEY');
    if (key.startsWith(secretKeyPrefix) && keys.secret.includes(hash)) kind = 'secret';
    else if (key.startsWith(publishableKeyPrefix) && keys.publishable.includes(hash)) {
      kind = kind === 'secret' ? kind : 'publishable';
    } else throw fail('INVALID_API_KEY');
  }
  return kind;
}

/** The hashes of the project keys in `headers`. */
export function shownKeyHashes(headers: Headers): readonly string[] {
  const bearer = bearerToken(single(headers['authorization']));
  const keys = shownKeys(single(headers['apikey']), bearer);
  return keys.flatMap((key) => (key === undefined || key === '' ? [] : [hashProjectKey(key)]));
}

function shownKeys(apikey: string | undefined, bearer: string | undefined) {
  return [apikey, bearer !== undefined && isProjectKey(bearer) ? bearer : undefined];
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

// The first statement of every batch: looks up the caller live. The statement is chosen for a credential, filled with
// its values, and its row is read.

import { fail } from '#libs/errors';
import type { Caller, CallerUser, Credential, DatabaseRole, OperatorCredential } from '#libs/wire';
import { type IdType, lookupTextFor, type NamedText } from './lookup-texts.js';

export type { IdType };

/** A lookup statement and its values. */
export interface Lookup extends NamedText {
  readonly values: readonly (string | null)[];
  readonly isOwn: true;
}

export interface ResolvedCaller {
  /** Of the caller. */
  readonly role: DatabaseRole;
  /** Text of a JSON object: what policies see of the caller. */
  readonly claims: string;
  /** Costs the reading of the claims each time. */
  readonly caller: Caller;
  /** Grows with every change of the project's catalog. */
  readonly schemaVersion: string;
}

/** Limits of one statement after the lookup, by the role that the lookup finds; milliseconds. */
export interface StatementTimeouts {
  readonly anonMs: number;
  readonly authenticatedMs: number;
  readonly serviceMs: number;
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export interface LookupOptions {
  readonly idType: IdType;
  /** The transaction refuses to write from the lookup on. */
  readonly readOnly: boolean;
  /** Absent: the limit of the connection applies. */
  readonly timeouts?: StatementTimeouts | undefined;
}

/** The lookup for a credential. */
export function lookupFor(
  credential: Credential,
  { idType, readOnly, timeouts }: LookupOptions,
): Lookup {
  const forms = lookupTextFor(credential, idType);
  const values = valuesFor(credential, idType);
  if (!timeouts) return { ...(readOnly ? forms.reading : forms.writing), values, isOwn: true };
  return {
    ...(readOnly ? forms.timedReading : forms.timedWriting),
    values: [...values, ...limitsFor(credential, timeouts).map(String)],
    isOwn: true,
  };
}

/** The limits among which the lookup of a credential chooses, in the order of its parameters. */
export function limitsFor(
  credential: Credential,
  { anonMs, authenticatedMs, serviceMs }: StatementTimeouts,
): readonly number[] {
  switch (credential.kind) {
    case 'none':
    case 'impersonated-anon':
      return [anonMs];
    case 'session':
    case 'api-key':
      return [anonMs, authenticatedMs];
    case 'impersonated-user':
    case 'third-party':
      return [authenticatedMs];
    case 'secret-key':
    case 'operator':
      return [serviceMs];
  }
}

function valuesFor(credential: Credential, idType: IdType): readonly (string | null)[] {
  switch (credential.kind) {
    case 'none':
    case 'impersonated-anon':
    case 'secret-key':
      return [];
    case 'session':
      return [tokenValue(credential.token)];
    case 'api-key':
      return [tokenValue(credential.keyHash), String(credential.isCounted)];
    case 'third-party':
      return [credential.claims, credential.subject, subjectAsId(credential.subject, idType)];
    case 'operator':
      return [operatorClaims(credential.operator)];
    case 'impersonated-user':
      return [idValue(credential.userId, idType)];
  }
}

/**
 * Returns the caller from the row of the lookup of `credential`. Marks a session or a key that the project does not
 * know as refused. Throws DATABASE_ERROR for any other row.
 */
export function readLookup(
  credential: Credential,
  row: readonly (string | null)[],
): ResolvedCaller {
  const [schemaVersion, role, claims] = row;
  if (!schemaVersion || !role || !claims) {
    throw fail('DATABASE_ERROR', {}, { cause: new Error('The lookup returned no row') });
  }
  if (role === 'anon' && (credential.kind === 'session' || credential.kind === 'api-key')) {
    credential.isRefused = true;
  }
  return {
    schemaVersion,
    // One of the limits that the lookup chooses between.
    role: role as DatabaseRole,
    claims,
    // Decoded on first use: most requests on tables never need it.
    get caller() {
      return callerOf(credential, role, claims);
    },
  };
}

function callerOf(credential: Credential, role: string, claims: string): Caller {
  switch (credential.kind) {
    case 'none':
      return { role: 'anon', via: 'none' };
    case 'impersonated-anon':
      return { role: 'anon', via: 'impersonation' };
    case 'secret-key':
      return { role: 'service_role', via: 'secret-key' };
    case 'operator':
      return { role: 'service_role', via: 'operator', operator: credential.operator };
    case 'session':
    case 'api-key':
      return role === 'authenticated'
        ? { role, via: credential.kind, user: userOf(claims) }
        : { role: 'anon', via: 'none' };
    case 'impersonated-user':
      return { role: 'authenticated', via: 'impersonation', user: userOf(claims) };
    case 'third-party':
      return { role: 'authenticated', via: 'third-party', user: userOf(claims) };
  }
}

function userOf(text: string): CallerUser {
  // The lookup or the verification of the token has just built this text.
  const claims = JSON.parse(text) as UserClaims;
  return {
    id: claims.sub,
    email: claims.email,
    role: claims.user_role,
    isAnonymous: claims.is_anonymous,
    ...(claims.session_id !== null && { sessionId: claims.session_id }),
    ...(claims.has_second_factor && claims.aal !== 'aal2' && { lacksSecondFactor: true }),
  };
}

/** Those that auth.keep_claims and the lookup write, see `lookup-texts.ts`. */
interface UserClaims {
  readonly sub: string;
  readonly email: string;
  readonly user_role: string;
  readonly is_anonymous: boolean;
  readonly session_id: string | null;
  readonly aal: string;
  /** Absent for a user without a second factor. */
  readonly has_second_factor?: boolean;
}

function operatorClaims({ operatorId, email }: OperatorCredential): string {
  return JSON.stringify({ role: 'service_role', operator: { id: operatorId, email } });
}

/** A text that PostgreSQL cannot compare (a zero byte) belongs to no session. */
function tokenValue(token: string): string | null {
  return token.includes('\0') ? null : token;
}

/**
 * The id that a policy may read in the subject of another issuer's token. PostgreSQL casts a uuid in other spellings,
 * too: in braces, and with fewer or more hyphens.
 */
function subjectAsId(subject: string, idType: IdType): string | null {
  const digits = subject.replace(/^\{|\}$|-/g, '');
  if (idType === 'text' || !/^[0-9a-f]{32}$/i.test(digits)) return idValue(subject, idType);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns null for a text that cannot be an id: it finds no user, whereas a cast would fail. */
function idValue(id: string, idType: IdType): string | null {
  if (idType === 'uuid' && !UUID.test(id)) return null;
  return tokenValue(id);
}

// The first statement of every batch: who is the caller, read live. It sets the role and the claims for
// the transaction, ends it for an inactive user, and gives one row back. It is plain SQL because the role
// cannot be set inside a function of another owner, and because a plpgsql function costs a tenth more.
// Functions and operators are named with their schema: a function of the project may leave a search path
// behind on which others of the same names come first.

import { fail } from '#libs/errors';
import type { Caller, CallerUser, Credential, OperatorCredential } from '#libs/wire';

/** The id type of a project's users. */
export type IdType = 'text' | 'uuid';

/** A lookup statement and its values. */
export interface Lookup {
  /** Unique per text; the name under which connections prepare it. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
  readonly isOwn: true;
}

export interface ResolvedCaller {
  readonly caller: Caller;
  /** Moves with every change of the project's catalog. */
  readonly schemaVersion: string;
}

/** Limits of one statement behind the lookup, by the role that the lookup finds; milliseconds. */
export interface StatementTimeouts {
  readonly anonMs: number;
  readonly authenticatedMs: number;
  readonly serviceMs: number;
}

/** Last in the list of columns: nothing of a request that only reads may write, not even a function. */
const refuseWrites = `, pg_catalog.set_config('transaction_read_only', 'on', true)`;

const equals = 'operator(pg_catalog.=)';
/** Texts one behind the other. */
const joined = (...texts: readonly string[]): string => texts.join(' operator(pg_catalog.||) ');

type NamedText = Pick<Lookup, 'name' | 'text'>;

/** One lookup in its forms: `timed` ones set the limit of the statements behind them. */
interface LookupText {
  readonly writing: NamedText;
  readonly reading: NamedText;
  readonly timedWriting: NamedText;
  readonly timedReading: NamedText;
}

interface LookupParts {
  readonly role: string;
  /** Text of a JSON object. */
  readonly claims: string;
  /** The subject once more in a setting of its own: policies ask for it most. */
  readonly subject: string;
  readonly from: string;
  /** The limit of a statement, from parameters behind those of the lookup itself. */
  readonly timeout: string;
}

/** The row is: schema version, role, claims, subject. */
function allForms(name: string, { role, claims, subject, from, timeout }: LookupParts): LookupText {
  const columns = `v.version::text,
  pg_catalog.set_config('role', ${role}, true),
  pg_catalog.set_config('request.jwt.claims', ${claims}, true),
  pg_catalog.set_config('request.jwt.claim.sub', ${subject}, true)`;
  const source = `from platform.schema_version v${from}`;
  // PostgreSQL starts the clock anew for each statement of a batch, with the limit that holds then.
  const limit = `, pg_catalog.set_config('statement_timeout', ${timeout}, true)`;
  const form = (suffix: string, extra: string): NamedText => ({
    name: `l_${name}${suffix}`,
    text: `select ${columns}${extra}\n${source}`,
  });
  return {
    writing: form('', ''),
    reading: form('_read', refuseWrites),
    timedWriting: form('_timed', limit),
    timedReading: form('_timed_read', `${limit}${refuseWrites}`),
  };
}

/** A lookup for a role that does not depend on any row. */
const fixedRole = (name: string, parts: Pick<LookupParts, 'role' | 'claims' | 'timeout'>) =>
  allForms(name, { ...parts, subject: `''`, from: '' });

/** The role of a user, when there is one. */
const roleOfUser = `when u.status ${equals} 'active' then 'authenticated'
    else auth.deny('403', 'USER_INACTIVE') end`;

const noMembership = `'"org_id":null,"org_role":null,"team_id":null'`;

/** Claims of the active organization and team; a function call only where there are some. */
const sessionMembership = `case when s."activeOrganizationId" is null then ${noMembership} else
      coalesce(auth.membership_claims(u.id, s."activeOrganizationId", s."activeTeamId"), ${noMembership})
    end`;

/** An unknown or expired session is a signed-out caller; membership counts only while its row is there. */
const sessionLookup = allForms('session', {
  role: `case when u.id is null then 'anon' ${roleOfUser}`,
  claims: `case when u.id is null then '{"role":"anon"}' else
    ${joined(
      'u.claims',
      `',"aal":"'`,
      's.aal',
      `'","session_id":"'`,
      's.id',
      `'",'`,
      sessionMembership,
      `'}'`,
    )} end`,
  subject: `coalesce(u.id::text, '')`,
  timeout: 'case when u.id is null then $2 else $3 end',
  from: `
left join auth.session s
  on s."tokenHash" ${equals} pg_catalog.sha256(pg_catalog.convert_to($1, 'UTF8'))
  and s."expiresAt" operator(pg_catalog.>) pg_catalog.now()
left join auth."user" u on u.id ${equals} s."userId"`,
});

const impersonatedLookup = allForms('user', {
  role: `case when u.id is null then auth.deny('404', 'IMPERSONATED_USER_NOT_FOUND') ${roleOfUser}`,
  claims: joined('u.claims', `',"aal":"aal1","session_id":null,'`, noMembership, `'}'`),
  subject: 'u.id::text',
  timeout: '$2',
  from: `
left join auth."user" u on u.id ${equals} $1`,
});

const anonLookup = fixedRole('anon', {
  role: `'anon'`,
  claims: `'{"role":"anon"}'`,
  timeout: '$1',
});
const serviceLookup = fixedRole('service', {
  role: `'service_role'`,
  claims: `'{"role":"service_role"}'`,
  timeout: '$1',
});
const operatorLookup = fixedRole('operator', {
  role: `'service_role'`,
  claims: '$1',
  timeout: '$2',
});

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export interface LookupOptions {
  readonly idType: IdType;
  /** The transaction refuses to write from the lookup on. */
  readonly readOnly: boolean;
  /** Absent: the limit of the connection holds. */
  readonly timeouts?: StatementTimeouts | undefined;
}

/** The lookup for a credential. */
export function lookupFor(
  credential: Credential,
  { idType, readOnly, timeouts }: LookupOptions,
): Lookup {
  const forms = lookupTextFor(credential);
  const values = valuesFor(credential, idType);
  if (!timeouts) return { ...(readOnly ? forms.reading : forms.writing), values, isOwn: true };
  return {
    ...(readOnly ? forms.timedReading : forms.timedWriting),
    values: [...values, ...limitsFor(credential, timeouts).map(String)],
    isOwn: true,
  };
}

/** The limits between which the lookup of a credential decides, in the order of its parameters. */
export function limitsFor(
  credential: Credential,
  { anonMs, authenticatedMs, serviceMs }: StatementTimeouts,
): readonly number[] {
  switch (credential.kind) {
    case 'none':
    case 'impersonated-anon':
      return [anonMs];
    case 'session':
      return [anonMs, authenticatedMs];
    case 'impersonated-user':
      return [authenticatedMs];
    case 'secret-key':
    case 'operator':
      return [serviceMs];
  }
}

function lookupTextFor(credential: Credential): LookupText {
  switch (credential.kind) {
    case 'none':
    case 'impersonated-anon':
      return anonLookup;
    case 'session':
      return sessionLookup;
    case 'secret-key':
      return serviceLookup;
    case 'operator':
      return operatorLookup;
    case 'impersonated-user':
      return impersonatedLookup;
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
    case 'operator':
      return [operatorClaims(credential.operator)];
    case 'impersonated-user':
      return [idValue(credential.userId, idType)];
  }
}

/** The caller in the row that the lookup of `credential` gave. Throws DATABASE_ERROR for any other row. */
export function readLookup(
  credential: Credential,
  row: readonly (string | null)[],
): ResolvedCaller {
  const [schemaVersion, role, claims] = row;
  if (!schemaVersion || !role || !claims) {
    throw fail('DATABASE_ERROR', {}, { cause: new Error('The lookup gave no row') });
  }
  return {
    schemaVersion,
    // Read when somebody asks: most requests on tables never do.
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
      return role === 'authenticated'
        ? { role, via: 'session', user: userOf(claims) }
        : { role: 'anon', via: 'none' };
    case 'impersonated-user':
      return { role: 'authenticated', via: 'impersonation', user: userOf(claims) };
  }
}

function userOf(text: string): CallerUser {
  // The lookup has just built this text.
  const claims = JSON.parse(text) as UserClaims;
  return {
    id: claims.sub,
    email: claims.email,
    role: claims.user_role,
    isAnonymous: claims.is_anonymous,
    ...(claims.session_id !== null && { sessionId: claims.session_id }),
  };
}

interface UserClaims {
  readonly sub: string;
  readonly email: string;
  readonly user_role: string;
  readonly is_anonymous: boolean;
  readonly session_id: string | null;
}

function operatorClaims({ operatorId, email }: OperatorCredential): string {
  return JSON.stringify({ role: 'service_role', operator: { id: operatorId, email } });
}

/** Text that PostgreSQL could not even compare (a zero byte) belongs to no session. */
function tokenValue(token: string): string | null {
  return token.includes('\0') ? null : token;
}

/** An id that cannot be one is nobody's: null finds no user, where a cast would fail. */
function idValue(id: string, idType: IdType): string | null {
  if (idType === 'uuid' && !UUID.test(id)) return null;
  return tokenValue(id);
}

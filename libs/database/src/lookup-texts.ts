// The statements that look up the caller, one for each kind of credential. A lookup sets the role and the claims for
// the transaction, aborts it for an inactive user, and returns one row. It is plain SQL because the role cannot be set
// inside a function of another owner, and because a plpgsql function costs a tenth more. Functions and operators are
// named with their schema: a function of the project may leave a search path on which others with the same names come
// first.

import type { Credential } from '#libs/wire';

/** The id type of a project's users. */
export type IdType = 'text' | 'uuid';

/** Last in the list of columns: nothing in a read-only request may write, not even a function. */
const refuseWrites = `, pg_catalog.set_config('transaction_read_only', 'on', true)`;

const equals = 'operator(pg_catalog.=)';
/** Texts one behind the other. */
const joined = (...texts: readonly string[]): string => texts.join(' operator(pg_catalog.||) ');

export interface NamedText {
  /** Unique per text; the name under which connections prepare it. */
  readonly name: string;
  readonly text: string;
}

/** One lookup in its forms: `timed` ones set the limit of the statements after them. */
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
  /** The subject again in a setting of its own: policies use it most. */
  readonly subject: string;
  readonly from: string;
  /** The limit of a statement, from parameters after those of the lookup itself. */
  readonly timeout: string;
}

/** The row is: schema version, role, claims, subject. */
function allForms(name: string, { role, claims, subject, from, timeout }: LookupParts): LookupText {
  const columns = `v.version::pg_catalog.text,
  pg_catalog.set_config('role', ${role}, true),
  pg_catalog.set_config('request.jwt.claims', ${claims}, true),
  pg_catalog.set_config('request.jwt.claim.sub', ${subject}, true)`;
  const source = `from platform.schema_version v${from}`;
  // PostgreSQL restarts the clock for each statement of a batch, with the limit that applies then.
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

/** The role of a user, if there is one. */
const roleOfUser = `when u.status ${equals} 'active' then 'authenticated'
    else auth.deny('403', 'USER_INACTIVE') end`;

const noMembership = `'"org_id":null,"org_role":null,"team_id":null'`;

/** Claims of the active organization and team; a function is called only if there are some. */
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
  subject: `coalesce(u.id::pg_catalog.text, '')`,
  timeout: 'case when u.id is null then $2 else $3 end',
  from: `
left join auth.session s
  on s."tokenHash" ${equals} pg_catalog.sha256(pg_catalog.convert_to($1, 'UTF8'))
  and s."expiresAt" operator(pg_catalog.>) pg_catalog.now()
left join auth."user" u on u.id ${equals} s."userId"`,
});

/** An unknown key is a signed-out caller; a key has no organization, which is a choice within a session. */
const apiKeyLookup = (name: string, referencedUser: string): LookupText =>
  allForms(name, {
    role: `case when u.id is null then 'anon' ${roleOfUser}`,
    claims: `case when u.id is null then '{"role":"anon"}' else
    ${joined(
      'u.claims',
      `',"aal":"aal1","session_id":null,'`,
      noMembership,
      `',"api_key_id":"'`,
      'k.id',
      `'","api_key_permissions":'`,
      `coalesce(k.permissions, 'null')`,
      `'}'`,
    )} end`,
    subject: `coalesce(u.id::pg_catalog.text, '')`,
    timeout: 'case when u.id is null then $3 else $4 end',
    from: `
left join auth.apikey k
  on k.key ${equals} $1 and k.enabled is not false
  and (k."expiresAt" is null or k."expiresAt" operator(pg_catalog.>) pg_catalog.now())
  and (k.remaining is null or k.remaining operator(pg_catalog.>) 0 or $2::pg_catalog.bool)
left join auth."user" u on u.id ${equals} ${referencedUser}`,
  });

/** Keys name their user as text, whatever the id type is; the index on users wants that type. */
const apiKeyLookups: Readonly<Record<IdType, LookupText>> = {
  text: apiKeyLookup('apikey', 'k."referenceId"'),
  uuid: apiKeyLookup('apikey_uuid', 'auth.try_uuid(k."referenceId")'),
};

/** Another issuer must not act for an account of this project, not even by accident of equal ids. */
const thirdPartyLookup = allForms('foreign', {
  role: `case when u.id is null then 'authenticated'
    else auth.deny('403', 'FOREIGN_SUBJECT_REFUSED') end`,
  claims: '$1',
  subject: '$2',
  timeout: '$4',
  from: `
left join auth."user" u on u.id ${equals} $3`,
});

const impersonatedLookup = allForms('user', {
  role: `case when u.id is null then auth.deny('404', 'IMPERSONATED_USER_NOT_FOUND') ${roleOfUser}`,
  claims: joined('u.claims', `',"aal":"aal1","session_id":null,'`, noMembership, `'}'`),
  subject: 'u.id::pg_catalog.text',
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

/** The lookup of a kind of credential. */
export function lookupTextFor(credential: Credential, idType: IdType): LookupText {
  switch (credential.kind) {
    case 'none':
    case 'impersonated-anon':
      return anonLookup;
    case 'session':
      return sessionLookup;
    case 'api-key':
      return apiKeyLookups[idType];
    case 'third-party':
      return thirdPartyLookup;
    case 'secret-key':
      return serviceLookup;
    case 'operator':
      return operatorLookup;
    case 'impersonated-user':
      return impersonatedLookup;
  }
}

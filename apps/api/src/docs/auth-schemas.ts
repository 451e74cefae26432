// What the routes below /api/auth answer with. A test sends the example of every route and compares its answer with
// the schema that is named here; an answer with a field that is not here fails it.
import type { Json } from '#libs/web';

const text = { type: 'string' };
const number = { type: 'number' };
const flag = { type: 'boolean' };
const time = { ...text, format: 'date-time' };
const anything = { type: 'object', additionalProperties: true };
const listOf = (items: object): Json => ({ type: 'array', items });
const texts = listOf(text);
const orNull = (schema: Json): Json =>
  typeof schema['type'] === 'string'
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const about = (description: string, schema: Json): Json => ({ ...schema, description });

/** An object with these fields; those whose name ends in `?` may be absent. */
function shape(fields: Readonly<Record<string, object>>): Json {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  const properties = Object.entries(fields).map(([name, schema]) => [
    name.replace('?', ''),
    schema,
  ]);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

const invitation = {
  id: text,
  organizationId: text,
  email: text,
  role: text,
  teamId: orNull(text),
  status: { enum: ['pending', 'accepted', 'rejected', 'canceled'] },
  expiresAt: time,
  createdAt: time,
  inviterId: text,
};
const organization = {
  id: text,
  name: text,
  slug: text,
  logo: orNull(text),
  metadata: orNull(anything),
  createdAt: time,
};
const member = { id: text, organizationId: text, userId: text, role: text, createdAt: time };
const apiKey = {
  id: text,
  name: orNull(text),
  start: about('The first characters of the key.', orNull(text)),
  prefix: orNull(text),
  enabled: flag,
  remaining: about('How many uses are left; null for any number.', orNull(number)),
  refillAmount: orNull(number),
  refillInterval: orNull(number),
  lastRequest: orNull(time),
  expiresAt: orNull(time),
  createdAt: time,
  updatedAt: time,
  permissions: orNull(anything),
  metadata: orNull(anything),
};
const session = {
  id: text,
  aal: about('`aal2` after a second factor or a passkey.', { enum: ['aal1', 'aal2'] }),
  activeOrganizationId: orNull(text),
  activeTeamId: orNull(text),
  expiresAt: time,
  createdAt: time,
  updatedAt: time,
  ipAddress: orNull(text),
  userAgent: orNull(text),
};
const token = about('To be sent as bearer token.', text);

/** Schemas by the names under which they are in the document. */
export const AUTH_SCHEMAS = {
  AuthUser: shape({
    id: text,
    email: text,
    name: text,
    username: orNull(text),
    image: orNull(text),
    role: { enum: ['USER', 'ADMIN'] },
    status: text,
    emailVerified: flag,
    phoneNumber: orNull(text),
    phoneNumberVerified: flag,
    twoFactorEnabled: flag,
    is_anonymous: flag,
    app_metadata: about('Only administrators write it; for policies.', anything),
    user_metadata: about('The user writes it.', anything),
    createdAt: time,
    updatedAt: time,
  }),
  AuthSession: shape({ ...session, userId: text, token }),
  SignedIn: shape({
    token: about('To be sent as bearer token; null where an address must be proven first.', {
      type: ['string', 'null'],
    }),
    user: ref('AuthUser'),
    'session?': ref('AuthSession'),
    'status?': flag,
    'trustToken?': about('Sent as `x-trust-token`, it skips the second step.', text),
  }),
  SecondStep: shape({
    twoFactorRedirect: { const: true },
    twoFactorMethods: texts,
    otpChannels: texts,
    mfaToken: about('Sent as `x-mfa-token` with the proof of the second step.', text),
  }),
  Session: shape({ session: ref('AuthSession'), user: ref('AuthUser') }),
  ListedOwnSession: shape({
    ...session,
    token: about('Names the session for `revoke-session`; no credential.', text),
    isCurrent: flag,
  }),
  Done: shape({ status: { const: true } }),
  Success: shape({ success: { const: true } }),
  OwnIdentity: shape({
    id: text,
    provider: text,
    providerId: text,
    accountId: about('The id of the user at the provider.', text),
    userId: text,
    scopes: texts,
    createdAt: time,
    updatedAt: time,
  }),
  ProviderProfile: shape({
    user: shape({
      'id?': text,
      'name?': orNull(text),
      'email?': orNull(text),
      'image?': orNull(text),
      emailVerified: flag,
    }),
    data: about('What the provider says, without its tokens.', anything),
    account: shape({ id: text, providerId: text, accountId: text }),
  }),
  ProviderTokens: shape({
    'accessToken?': text,
    'refreshToken?': text,
    'idToken?': text,
    'accessTokenExpiresAt?': orNull(time),
    'refreshTokenExpiresAt?': orNull(time),
    'scopes?': texts,
    'scope?': orNull(text),
    'providerId?': text,
    'accountId?': text,
  }),
  OwnPasskey: shape({
    id: text,
    name: orNull(text),
    credentialID: text,
    deviceType: text,
    backedUp: flag,
    transports: orNull(text),
    aaguid: orNull(text),
    createdAt: orNull(time),
  }),
  OwnApiKey: shape(apiKey),
  NewApiKey: shape({ ...apiKey, key: about('Shown once.', text) }),
  TrustedDevice: shape({
    id: text,
    userAgent: orNull(text),
    ipAddress: orNull(text),
    createdAt: time,
    lastUsedAt: time,
    expiresAt: time,
    isCurrent: flag,
  }),
  Organization: shape(organization),
  Member: shape(member),
  MemberWithUser: shape({
    ...member,
    user: shape({ id: text, name: text, email: text, image: orNull(text) }),
  }),
  Invitation: shape(invitation),
  Team: shape({ id: text, name: text, organizationId: text, createdAt: time, updatedAt: time }),
  TeamMember: shape({ id: text, teamId: text, userId: text, createdAt: time }),
  SsoProvider: shape({
    providerId: text,
    type: { enum: ['oidc', 'saml'] },
    issuer: text,
    domain: text,
    domains: listOf(shape({ domain: text, verified: flag, 'record?': anything })),
    domainVerified: flag,
    organizationId: orNull(text),
    'redirectURI?': about('What to register at the identity provider.', text),
    'spMetadataUrl?': text,
    'entityID?': text,
    'oidcConfig?': about('Without its secrets.', anything),
    'samlConfig?': about('Without its secrets.', anything),
  }),
} as const satisfies Readonly<Record<string, Json>>;

const r = (name: keyof typeof AUTH_SCHEMAS): Json => ref(name);

/** The schema of a successful answer, by the name that a row of auth-routes.ts gives it. */
export const AUTH_ANSWERS = {
  ApiKey: r('OwnApiKey'),
  ApiKeyList: shape({ apiKeys: listOf(r('OwnApiKey')), total: number }),
  AcceptedInvitation: shape({ invitation: r('Invitation'), member: r('Member') }),
  BackupCodes: shape({ status: { const: true }, backupCodes: texts }),
  ChangedPassword: shape({ token: orNull(text), user: r('AuthUser') }),
  CodeSent: shape({ message: text }),
  Deleted: shape({ success: { const: true }, message: text }),
  DoneWithUser: shape({
    status: { const: true },
    'token?': orNull(text),
    'user?': orNull(r('AuthUser')),
  }),
  Done: r('Done'),
  Enrolment: shape({ method: text, totpURI: text, secret: text, backupCodes: texts }),
  Identities: listOf(r('OwnIdentity')),
  Invitation: r('Invitation'),
  InvitationDetail: shape({
    ...invitation,
    organizationName: text,
    organizationSlug: text,
    inviterEmail: text,
  }),
  InvitationsToMe: listOf(shape({ ...invitation, organizationName: text, organizationSlug: text })),
  Invitations: listOf(r('Invitation')),
  Jwt: shape({ token: about('An ES256 JSON Web Token.', text) }),
  KeySet: shape({
    keys: listOf(shape({ kid: text, alg: text, kty: text, crv: text, x: text, y: text })),
  }),
  LinkSent: shape({ status: { const: true }, message: text }),
  Member: r('MemberWithUser'),
  Members: shape({ members: listOf(r('MemberWithUser')), total: number }),
  Message: shape({ message: text }),
  NewApiKey: r('NewApiKey'),
  NewOrganization: shape({ ...organization, members: listOf(r('Member')) }),
  Organization: r('Organization'),
  OrganizationOrNull: orNull(r('Organization')),
  FullOrganization: orNull(
    shape({
      ...organization,
      invitations: listOf(r('Invitation')),
      members: listOf(r('MemberWithUser')),
      'teams?': listOf(r('Team')),
    }),
  ),
  Organizations: listOf(r('Organization')),
  Passkey: r('OwnPasskey'),
  PasskeyChanged: shape({ passkey: r('OwnPasskey') }),
  PasskeyOptions: about('What `navigator.credentials` takes.', {
    type: 'object',
    required: ['challenge'],
    additionalProperties: true,
  }),
  Passkeys: listOf(r('OwnPasskey')),
  Permission: shape({ success: flag, error: orNull(text) }),
  ProviderProfile: r('ProviderProfile'),
  ProviderTokens: r('ProviderTokens'),
  Redirect: shape({
    url: about('Where the browser goes to sign in.', text),
    redirect: flag,
  }),
  RedirectOrSignedIn: {
    anyOf: [
      shape({ url: about('Where the browser goes to sign in.', text), redirect: flag }),
      r('SignedIn'),
    ],
  },
  RejectedInvitation: shape({ invitation: r('Invitation'), member: { type: 'null' } }),
  RemovedMember: shape({ member: r('MemberWithUser') }),
  Role: shape({ role: text }),
  SecondFactors: shape({
    enabled: flag,
    methods: texts,
    otpChannels: texts,
    backupCodesLeft: number,
    factor: orNull(shape({ id: text, type: text, status: text, createdAt: time })),
  }),
  SecondFactorRemoved: shape({ status: { const: true }, token }),
  SentCode: shape({ status: { const: true }, channel: text }),
  SessionOrNull: orNull(r('Session')),
  Sessions: listOf(r('ListedOwnSession')),
  SignedIn: r('SignedIn'),
  SignedInOrSecondStep: { anyOf: [r('SignedIn'), r('SecondStep')] },
  SsoProvider: r('SsoProvider'),
  SsoProviders: shape({ providers: listOf(r('SsoProvider')) }),
  Success: r('Success'),
  Team: r('Team'),
  TeamOrNull: orNull(r('Team')),
  TeamMember: r('TeamMember'),
  TeamMembers: listOf(r('TeamMember')),
  Teams: listOf(r('Team')),
  TrustedDevices: listOf(r('TrustedDevice')),
} as const satisfies Readonly<Record<string, Json>>;

/** The name of an answer: a schema of the table, or one of those that are no JSON. */
export type AuthAnswer = keyof typeof AUTH_ANSWERS | 'Page' | 'Redirected' | 'Xml' | 'Refused';

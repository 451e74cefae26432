// The schemas that answers of the routes below /api/auth share.
import type { Json } from '#libs/web';

import {
  about,
  anything,
  flag,
  listOf,
  number,
  orNull,
  schemaRef,
  shape,
  text,
  texts,
  time,
} from './schema-words.js';

/** The fields of an invitation. */
export const invitation = {
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
/** The fields of an organization. */
export const organization = {
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
export const token = about('To be sent as bearer token.', text);

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
    user: schemaRef('AuthUser'),
    'session?': schemaRef('AuthSession'),
    'status?': flag,
    'trustToken?': about('Sent as `x-trust-token`, it skips the second step.', text),
  }),
  SecondStep: shape({
    twoFactorRedirect: { const: true },
    twoFactorMethods: texts,
    otpChannels: texts,
    mfaToken: about('Sent as `x-mfa-token` with the proof of the second step.', text),
  }),
  Session: shape({ session: schemaRef('AuthSession'), user: schemaRef('AuthUser') }),
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

/** A schema of the table above. */
export const refTo = (name: keyof typeof AUTH_SCHEMAS): Json => schemaRef(name);

// What the routes below /api/auth answer with. A test sends the example of every route and compares its answer with
// the schema that is named here; an answer with a field that is not here fails it.
import type { Json } from '#libs/web';

import { invitation, organization, refTo, token } from './auth-schemas.js';
import { about, flag, listOf, number, orNull, shape, text, texts, time } from './schema-words.js';

const redirect = shape({ url: about('Where the browser goes to sign in.', text), redirect: flag });

/** The schema of a successful answer, by the name that its route declares. */
export const AUTH_ANSWERS = {
  ApiKey: refTo('OwnApiKey'),
  ApiKeyList: shape({ apiKeys: listOf(refTo('OwnApiKey')), total: number }),
  AcceptedInvitation: shape({ invitation: refTo('Invitation'), member: refTo('Member') }),
  BackupCodes: shape({ status: { const: true }, backupCodes: texts }),
  ChangedPassword: shape({ token: orNull(text), user: refTo('AuthUser') }),
  CodeSent: shape({ message: text }),
  Deleted: shape({ success: { const: true }, message: text }),
  DoneWithUser: shape({
    status: { const: true },
    'token?': orNull(text),
    'user?': orNull(refTo('AuthUser')),
  }),
  Done: refTo('Done'),
  Enrolment: shape({ method: text, totpURI: text, secret: text, backupCodes: texts }),
  Identities: listOf(refTo('OwnIdentity')),
  Invitation: refTo('Invitation'),
  InvitationDetail: shape({
    ...invitation,
    organizationName: text,
    organizationSlug: text,
    inviterEmail: text,
  }),
  InvitationsToMe: listOf(shape({ ...invitation, organizationName: text, organizationSlug: text })),
  Invitations: listOf(refTo('Invitation')),
  Jwt: shape({ token: about('An ES256 JSON Web Token.', text) }),
  KeySet: shape({
    keys: listOf(shape({ kid: text, alg: text, kty: text, crv: text, x: text, y: text })),
  }),
  LinkSent: shape({ status: { const: true }, message: text }),
  Member: refTo('MemberWithUser'),
  Members: shape({ members: listOf(refTo('MemberWithUser')), total: number }),
  Message: shape({ message: text }),
  NewApiKey: refTo('NewApiKey'),
  NewOrganization: shape({ ...organization, members: listOf(refTo('Member')) }),
  Organization: refTo('Organization'),
  OrganizationOrNull: orNull(refTo('Organization')),
  FullOrganization: orNull(
    shape({
      ...organization,
      invitations: listOf(refTo('Invitation')),
      members: listOf(refTo('MemberWithUser')),
      'teams?': listOf(refTo('Team')),
    }),
  ),
  Organizations: listOf(refTo('Organization')),
  Passkey: refTo('OwnPasskey'),
  PasskeyChanged: shape({ passkey: refTo('OwnPasskey') }),
  PasskeyOptions: about('What `navigator.credentials` takes.', {
    type: 'object',
    required: ['challenge'],
    additionalProperties: true,
  }),
  Passkeys: listOf(refTo('OwnPasskey')),
  Permission: shape({ success: flag, error: orNull(text) }),
  ProviderProfile: refTo('ProviderProfile'),
  ProviderTokens: refTo('ProviderTokens'),
  Redirect: redirect,
  RedirectOrSignedIn: { anyOf: [redirect, refTo('SignedIn')] },
  RejectedInvitation: shape({ invitation: refTo('Invitation'), member: { type: 'null' } }),
  RemovedMember: shape({ member: refTo('MemberWithUser') }),
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
  SessionOrNull: orNull(refTo('Session')),
  Sessions: listOf(refTo('ListedOwnSession')),
  SignedIn: refTo('SignedIn'),
  SignedInOrSecondStep: { anyOf: [refTo('SignedIn'), refTo('SecondStep')] },
  SsoProvider: refTo('SsoProvider'),
  SsoProviders: shape({ providers: listOf(refTo('SsoProvider')) }),
  Success: refTo('Success'),
  Team: refTo('Team'),
  TeamOrNull: orNull(refTo('Team')),
  TeamMember: refTo('TeamMember'),
  TeamMembers: listOf(refTo('TeamMember')),
  Teams: listOf(refTo('Team')),
  TrustedDevices: listOf(refTo('TrustedDevice')),
} as const satisfies Readonly<Record<string, Json>>;

// THE list of parts of the auth engine. A new way to sign in is a file in this folder and one line here.
import type { AuthPart } from '../part.js';
import { account } from './account.js';
import { accountHooks } from './account-hooks.js';
import { guests, guestUpgrade } from './anonymous.js';
import { apiKeys } from './api-key.js';
import { customOauth } from './custom-oauth.js';
import { customProviderIds } from './custom-oauth/provider-ids.js';
import { adminLinks } from './admin-links.js';
import { emailOtp } from './email-otp.js';
import { emailPassword } from './email-password.js';
import { emailVerification } from './email-verification.js';
import { fixedEmail } from './fixed-email.js';
import { identities, identityRecords } from './identities.js';
import { magicLink } from './magic-link.js';
import { oneTimeCode } from './one-time-code.js';
import { reauthentication } from './reauthentication.js';
import { recovery } from './recovery.js';
import { organization, teams } from './organization.js';
import { phoneOtp, phonePassword } from './phone-otp.js';
import { social } from './social.js';
import { selfDeletion } from './self-deletion.js';
import { sso } from './sso.js';
import { passkey } from './passkey.js';
import { sessionPolicy } from './session-policy.js';
import { tokens } from './tokens.js';
import { twoFactor } from './two-factor.js';

export const PARTS: readonly AuthPart[] = [
  apiKeys,
  adminLinks,
  selfDeletion,
  fixedEmail,
  account,
  accountHooks,
  emailPassword,
  emailVerification,
  recovery,
  reauthentication,
  emailOtp,
  magicLink,
  social,
  customOauth,
  customProviderIds,
  identities,
  identityRecords,
  oneTimeCode,
  phoneOtp,
  phonePassword,
  twoFactor,
  organization,
  teams,
  sso,
  passkey,
  guests,
  guestUpgrade,
  tokens,
  sessionPolicy,
];

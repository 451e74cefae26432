// THE list of parts of the auth engine. A new way to sign in is a folder here with its part.ts, and one line below.
import type { AuthPart } from '../part.js';
import { account } from './account/part.js';
import { accountHooks } from './account-hooks/part.js';
import { guests, guestUpgrade } from './anonymous/part.js';
import { apiKeys } from './api-key/part.js';
import { customOauth } from './custom-oauth/part.js';
import { customProviderIds } from './custom-oauth/provider-ids.js';
import { adminLinks } from './admin-links/part.js';
import { emailOtp } from './email-otp/part.js';
import { emailPassword } from './email-password/part.js';
import { emailVerification } from './email-verification/part.js';
import { fixedEmail } from './fixed-email/part.js';
import { identities, identityRecords } from './identities/part.js';
import { magicLink } from './magic-link/part.js';
import { oneTimeCode } from './one-time-code/part.js';
import { reauthentication } from './reauthentication/part.js';
import { recovery } from './recovery/part.js';
import { organization, teams } from './organization/part.js';
import { phoneOtp, phonePassword } from './phone-otp/part.js';
import { routeRules } from './route-rules/part.js';
import { social } from './social/part.js';
import { selfDeletion } from './self-deletion/part.js';
import { sso } from './sso/part.js';
import { passkey } from './passkey/part.js';
import { sessionPolicy } from './session-policy/part.js';
import { tokens } from './tokens/part.js';
import { twoFactor } from './two-factor/part.js';

export const PARTS: readonly AuthPart[] = [
  apiKeys,
  routeRules,
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

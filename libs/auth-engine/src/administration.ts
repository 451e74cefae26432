// What administrators take from the engine: for work on other people's accounts, hashes of chosen passwords,
// links and codes that are as good as mails; and the SSO providers. No link or code is stored here: the caller
// stores it in the transaction of the change that it belongs to.
import { randomInt } from 'node:crypto';
import { fail } from '#libs/errors';
import { adminLinkUrl, keptAdminLink, type AdminLink } from './admin-link.js';
import type { AuthConfig } from './auth-config.js';
import { guessable, randomToken, type OneTimeValue } from './one-time-values.js';
import { codeDigest } from './parts/email-otp/codes.js';
import { markUrl } from './parts/one-time-code/flow-mark.js';
import { createSsoProviders, type SsoProviders } from './parts/sso/manage-providers.js';
import { createPasswordPolicy, type HashChosen } from './passwords/policy.js';

/** What a link is to do. */
export interface LinkOrder {
  readonly userId: string;
  /** The address that the link proves. */
  readonly email: string;
  /** Where it leads after the sign-in; by default the application's address. */
  readonly redirectTo: string | undefined;
  /** `code`: the redirect carries a code for /exchange-code instead of setting a cookie. */
  readonly flow: 'cookie' | 'code';
  /** How long the link works: as a verification link, or as a link to sign in. */
  readonly kind: 'invitation' | 'signIn';
  /** Whether the account was made for this link, so that nothing about it is anybody else's. */
  readonly isNewUser: boolean;
}

/** A link, and what must be kept in `auth.verification` for it to work. */
export interface MadeLink {
  readonly url: string;
  readonly redirectTo: string;
  readonly kept: OneTimeValue;
}

/** A code, and what must be kept in `auth.verification` for it to work. */
export interface MadeCode {
  readonly code: string;
  readonly kept: OneTimeValue;
}

export interface Administration {
  /**
   * Returns the hash of a chosen password. Throws PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG,
   * PASSWORD_TOO_WEAK, PASSWORD_BREACHED, BREACH_CHECK_UNAVAILABLE.
   */
  readonly hashChosen: HashChosen;
  /** Makes a link that signs in once. Throws INVALID_INPUT for a foreign `redirectTo`. */
  makeLink(order: LinkOrder): MadeLink;
  /**
   * Makes a code for `/email-otp/reset-password`. Throws INVALID_INPUT while the project has no passwords.
   */
  makeRecoveryCode(email: string): MadeCode;
  /** The SSO providers of the project and of its organizations, also while `auth.sso` is off. */
  readonly ssoProviders: SsoProviders;
}

/** The administration of the accounts of a project under `config`; `isTrusted` says whether redirects may lead to an address. */
export function createAdministration(
  config: AuthConfig,
  isTrusted: (url: string) => boolean,
): Administration {
  const { settings, baseUrl, secret } = config;
  const passwords = settings['auth.methods.emailPassword'];
  const { siteUrl } = settings['auth.urls'];
  return {
    hashChosen: createPasswordPolicy(config),
    ssoProviders: createSsoProviders(config),
    makeLink({ userId, email, redirectTo = siteUrl ?? baseUrl, flow, kind, isNewUser }) {
      if (!isTrusted(redirectTo)) {
        const reason = 'must lead to one of the addresses in the settings auth.urls';
        throw fail('INVALID_INPUT', { field: 'redirectTo', reason });
      }
      const token = randomToken();
      const target =
        flow === 'code'
          ? markUrl(redirectTo, { kind: 'rowhouse_code', challenge: undefined })
          : redirectTo;
      const link: AdminLink = { userId, email, target, isNewUser };
      const expiresInSeconds =
        kind === 'invitation'
          ? passwords.verificationExpiresIn
          : settings['auth.methods.magicLink'].expiresIn;
      const kept = keptAdminLink(token, link, expiresInSeconds);
      return { url: adminLinkUrl(baseUrl, token), redirectTo, kept };
    },
    makeRecoveryCode(email) {
      if (!passwords.enabled) {
        throw fail('INVALID_INPUT', { field: 'type', reason: 'there are no passwords here' });
      }
      const { otpLength } = settings['auth.methods.emailOTP'];
      const code = Array.from({ length: otpLength }, () => randomInt(10)).join('');
      // The name and the form under which the engine looks for codes of recovery.
      const identifier = `forget-password-otp-${email.toLowerCase()}`;
      const value = guessable(codeDigest(secret, code));
      return { code, kept: { identifier, value, expiresInSeconds: passwords.resetExpiresIn } };
    },
  };
}

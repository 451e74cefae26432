import { fail } from '#libs/errors';

import { type CaptchaClass, type CaptchaLists, compileCaptchaRules } from './captcha-rules.js';
import {
  type CaptchaCall,
  type CaptchaProvider,
  type CaptchaVerifier,
  createCaptchaVerifier,
} from './captcha-verifier.js';

export type { CaptchaProvider };

/** What of `auth.attackProtection` is about the CAPTCHA. */
export interface CaptchaGroup extends CaptchaLists {
  readonly captchaEnabled: boolean;
  readonly captchaProvider: CaptchaProvider;
  readonly captchaSecret?: string | undefined;
  readonly captchaVerifyUrl?: string | undefined;
}

/** The CAPTCHA of one project under one set of settings. */
export interface Captcha {
  /** Whether a request of this method to this path (with or without query), of a route of this class, needs a proof. */
  guards(method: string, path: string, routeClass?: CaptchaClass): boolean;
  /** Throws CAPTCHA_MISSING, CAPTCHA_FAILED, CAPTCHA_UNAVAILABLE. */
  verify: CaptchaVerifier;
}

/**
 * The CAPTCHA that the settings describe; one that guards nothing while they turn it off. `call` sends the
 * requests to the provider. Without a secret no proof can be checked and guarded routes stay closed.
 */
export function buildCaptcha(group: CaptchaGroup, call: CaptchaCall): Captcha {
  const { captchaProvider: provider, captchaSecret: secret, captchaVerifyUrl: verifyUrl } = group;
  return {
    guards: group.captchaEnabled ? compileCaptchaRules(group) : () => false,
    verify:
      secret === undefined
        ? () => Promise.reject(fail('CAPTCHA_UNAVAILABLE'))
        : createCaptchaVerifier({ provider, secret, call, verifyUrl }),
  };
}

import { fail } from '#libs/errors';

import { type CaptchaClass, type CaptchaLists, compileCaptchaRules } from './captcha-rules.js';
import {
  type CaptchaCall,
  type CaptchaProvider,
  type CaptchaVerifier,
  createCaptchaVerifier,
} from './captcha-verifier.js';

export type { CaptchaProvider };

/** The CAPTCHA fields of `auth.attackProtection`. */
export interface CaptchaGroup extends CaptchaLists {
  readonly captchaEnabled: boolean;
  readonly captchaProvider: CaptchaProvider;
  readonly captchaSecret?: string | undefined;
  readonly captchaVerifyUrl?: string | undefined;
}

/** The CAPTCHA of one project under one set of settings. */
export interface Captcha {
  /** Whether a request needs a proof: its method, its path (with or without query) and the class of its route. */
  guards(method: string, path: string, routeClass?: CaptchaClass): boolean;
  /** Throws CAPTCHA_MISSING, CAPTCHA_FAILED, CAPTCHA_UNAVAILABLE. */
  verify: CaptchaVerifier;
}

/**
 * Returns the CAPTCHA that the settings describe; if they turn it off, it guards nothing. `call` sends requests to the
 * provider. Without a secret no proof can be checked, so guarded routes refuse every request.
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

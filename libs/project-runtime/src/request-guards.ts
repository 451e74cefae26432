// What the settings of a project require of requests on every route: a CAPTCHA, and which foreign or long-lived bearer
// tokens are accepted.
import { createThirdParty, type ThirdParty } from '#libs/third-party-tokens';
import { buildCaptcha, type Captcha } from '#libs/captcha';
import { fetchOver, type Outbound } from '#libs/outbound';
import type { Settings } from '#libs/settings';
import type { AdminRules } from '#libs/wire';

export interface RequestGuards extends AdminRules {
  readonly captcha: Captcha;
  /** The prefix of API keys of users; undefined if there are none. */
  readonly apiKeyPrefix: string | undefined;
  /** Undefined if tokens of other issuers are not accepted. */
  readonly thirdParty: ThirdParty | undefined;
  /** The settings that `thirdParty` was built from. */
  readonly madeFrom: Settings['auth.thirdParty'];
}

/**
 * The guards under `settings`. Of `before` the keys of issuers are kept when these have not changed. `now` gives
 * milliseconds since 1970.
 */
export function requestGuards(
  settings: Settings,
  outbound: Outbound,
  now: () => number,
  before?: RequestGuards,
): RequestGuards {
  const { enabled, prefix } = settings['auth.apiKey'];
  const madeFrom = settings['auth.thirdParty'];
  const isSame = before && JSON.stringify(before.madeFrom) === JSON.stringify(madeFrom);
  const made = () =>
    madeFrom.enabled
      ? createThirdParty({ issuers: madeFrom.issuers, fetch: fetchOver(outbound), now })
      : undefined;
  return {
    captcha: buildCaptcha(settings['auth.attackProtection'], outbound),
    apiKeyPrefix: enabled ? prefix : undefined,
    thirdParty: isSame ? before.thirdParty : made(),
    madeFrom,
    // While the group is off users cannot enter a second factor.
    asksSecondFactor: settings['auth.twoFactor'].enabled,
  };
}

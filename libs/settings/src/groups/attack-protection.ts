import { CAPTCHA_ENDPOINTS, CAPTCHA_PROVIDERS } from '#libs/captcha';
import { defineGroup } from '../define-group.js';
import { choice, flag, list, secret, text } from '../field.js';

export const attackProtection = defineGroup('auth.attackProtection', {
  title: 'Attack protection',
  help: 'A CAPTCHA against bots, and a check of passwords against known breaches.',
  rebuilds: ['auth', 'http'],
  isReported: true,
  fields: {
    captchaEnabled: flag({ label: 'CAPTCHA', default: false }),
    captchaProvider: choice({
      label: 'Provider',
      of: CAPTCHA_PROVIDERS,
      default: 'turnstile',
    }),
    captchaSecret: secret({ label: 'Secret key of the provider', maxLength: 500 }),
    captchaAuthEndpoints: list({
      label: 'Guarded sign-in requests',
      of: CAPTCHA_ENDPOINTS,
      default: CAPTCHA_ENDPOINTS,
      maxItems: CAPTCHA_ENDPOINTS.length,
      maxLength: 32,
    }),
    captchaRoutes: list({
      label: 'Further guarded routes',
      help: 'Method and path, such as POST /rest/v1/orders; * matches any text; without a method every method is guarded.',
      format: 'route',
      default: [],
      maxItems: 100,
      maxLength: 300,
    }),
    captchaVerifyUrl: text({
      label: 'Verification address',
      help: 'Only if you reach the provider through an address of your own.',
      format: 'url',
      maxLength: 500,
    }),
    breachedPasswords: flag({
      label: 'Refuse breached passwords',
      help: 'Five characters of a hash are sent to the list, never a password.',
      default: false,
    }),
    breachedPasswordsUrl: text({
      label: 'List of breached passwords',
      help: 'An address with the range API of Have I Been Pwned.',
      default: 'https://api.pwnedpasswords.com/range/',
      format: 'url',
      maxLength: 500,
    }),
    breachedPasswordsOnFailure: choice({
      label: 'If the list is unavailable',
      of: ['allow', 'refuse'],
      default: 'allow',
    }),
  },
  required: ({ captchaEnabled }) => (captchaEnabled ? ['captchaSecret'] : []),
  conflict: ({ captchaEnabled, captchaSecret }) =>
    captchaEnabled && captchaSecret === undefined
      ? { field: 'captchaSecret', reason: 'is required to turn the CAPTCHA on' }
      : undefined,
});

export {
  buildCaptcha,
  type Captcha,
  type CaptchaGroup,
  type CaptchaProvider,
} from './build-captcha.js';
export {
  CAPTCHA_ENDPOINTS,
  type CaptchaClass,
  type CaptchaEndpoint,
  captchaRouteProblem,
} from './captcha-rules.js';
export { CAPTCHA_PROVIDERS, type CaptchaCall } from './captcha-verifier.js';

export {
  buildCaptcha,
  type Captcha,
  type CaptchaGroup,
  type CaptchaProvider,
} from './build-captcha.js';
export { type CaptchaClass, type CaptchaEndpoint, captchaRouteProblem } from './captcha-rules.js';
export type { CaptchaCall } from './captcha-verifier.js';

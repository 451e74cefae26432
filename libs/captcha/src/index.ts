export {
  buildCaptcha,
  type Captcha,
  type CaptchaGroup,
  type CaptchaProvider,
} from './build-captcha.js';
export { captchaRouteProblem } from './captcha-rules.js';
export type { CaptchaCall } from './captcha-verifier.js';

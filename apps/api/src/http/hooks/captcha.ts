import { checkCaptcha } from '../captcha.js';
import type { ProjectStep } from './project-hook.js';

/** Checks the proof if the settings guard the route. Throws CAPTCHA_MISSING, CAPTCHA_FAILED, CAPTCHA_UNAVAILABLE. */
export const requireCaptcha: ProjectStep = (request, _reply, { lease, rule }) =>
  checkCaptcha(request, lease.value.guards.captcha, rule.captcha);

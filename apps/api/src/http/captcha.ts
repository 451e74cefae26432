import type { FastifyRequest } from 'fastify';

import type { Captcha, CaptchaClass } from '#libs/captcha';

const captchaHeader = 'x-captcha-response';

/**
 * Checks the CAPTCHA of a guarded request, before its body is read and its caller known; returns undefined if the route
 * is open. `url` replaces the URL of the request for a route that acts in place of another. Rejects with
 * CAPTCHA_MISSING, CAPTCHA_FAILED or CAPTCHA_UNAVAILABLE.
 */
export function checkCaptcha(
  request: FastifyRequest,
  captcha: Captcha,
  routeClass?: CaptchaClass,
  url = request.url,
): Promise<void> | undefined {
  if (!captcha.guards(request.method, url, routeClass)) return undefined;
  const shown = request.headers[captchaHeader];
  return captcha.verify(Array.isArray(shown) ? shown[0] : shown, request.ip);
}

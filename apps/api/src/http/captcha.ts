import type { FastifyRequest } from 'fastify';

import type { Captcha } from '#libs/captcha';

const captchaHeader = 'x-captcha-response';

/**
 * Checks the CAPTCHA of a guarded request, before its body is read and whoever sent it; undefined when the
 * route is open. `url` is that of a route which the one of the request stands for. Rejects with CAPTCHA_MISSING, CAPTCHA_FAILED or CAPTCHA_UNAVAILABLE.
 */
export function checkCaptcha(
  request: FastifyRequest,
  captcha: Captcha,
  url = request.url,
): Promise<void> | undefined {
  if (!captcha.guards(request.method, url)) return undefined;
  const shown = request.headers[captchaHeader];
  return captcha.verify(Array.isArray(shown) ? shown[0] : shown, request.ip);
}

import type { FastifyRequest } from 'fastify';

import type { Captcha, CaptchaClass } from '#libs/captcha';

const captchaHeader = 'x-captcha-response';
/** Requests whose proof has been verified: a proof works once, and several paths of a request may need it. */
const verified = new WeakSet<FastifyRequest>();

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
  if (verified.has(request) || !captcha.guards(request.method, url, routeClass)) return undefined;
  return verify(request, captcha);
}

async function verify(request: FastifyRequest, captcha: Captcha): Promise<void> {
  const shown = request.headers[captchaHeader];
  await captcha.verify(Array.isArray(shown) ? shown[0] : shown, request.ip);
  verified.add(request);
}

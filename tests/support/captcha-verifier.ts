// The `siteverify` endpoint of the two CAPTCHA services as their manuals describe it, as an answer for the
// HTTP recorder: a secret, tokens of people, each good once.
import type { React, RecordedRequest } from './http-recorder.js';

export interface CaptchaRules {
  readonly kind: 'turnstile' | 'hcaptcha';
  /** The secret that the site must show. */
  readonly secret: string;
  /** Which tokens a person has earned. By default those that start with `human`. */
  readonly isHuman?: (token: string) => boolean;
}

/** Answers as Turnstile or hCaptcha do: always 200, `success` says the verdict and `error-codes` why not. */
export function captchaVerifier({ kind, secret, isHuman = startsWithHuman }: CaptchaRules): React {
  const used = new Set<string>();
  return (request) => {
    const shown = shownTo(kind, request);
    const token = shown('response');
    const verdict = (code?: string) => ({
      body: {
        success: code === undefined,
        ...(code === undefined && {
          challenge_ts: new Date().toISOString(),
          hostname: 'localhost',
        }),
        'error-codes': code === undefined ? [] : [code],
      },
    });
    if (request.method !== 'POST') return { status: 405 };
    if (shown('secret') === '') return verdict('missing-input-secret');
    if (shown('secret') !== secret) return verdict('invalid-input-secret');
    if (token === '') return verdict('missing-input-response');
    if (!isHuman(token)) return verdict('invalid-input-response');
    if (used.has(token))
      return verdict(kind === 'turnstile' ? 'timeout-or-duplicate' : 'already-seen-response');
    used.add(token);
    return verdict();
  };
}

function startsWithHuman(token: string): boolean {
  return token.startsWith('human');
}

/** Both read a form; only Turnstile reads JSON too. */
function shownTo(kind: CaptchaRules['kind'], request: RecordedRequest): (name: string) => string {
  const { json, form } = request;
  if (kind === 'turnstile' && typeof json === 'object' && json !== null)
    return (name) => String(Reflect.get(json, name) ?? '');
  return (name) => form.get(name) ?? '';
}

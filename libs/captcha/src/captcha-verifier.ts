import { type AppError, fail } from '#libs/errors';
import { type HttpCall, isRecord, parseJson } from '#libs/wire';

/** The services that check proofs. */
export const CAPTCHA_PROVIDERS = ['turnstile', 'hcaptcha'] as const;
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number];

/** Sends a request to the service that checks proofs. If it throws, the service counts as unavailable. */
export type CaptchaCall = HttpCall<'status' | 'text'>;

export interface CaptchaVerifierOptions {
  readonly provider: CaptchaProvider;
  readonly secret: string;
  readonly call: CaptchaCall;
  /** Replaces the provider's own address. */
  readonly verifyUrl?: string | undefined;
}

/**
 * Resolves if the provider accepts `token` (the header `x-captcha-response`) from the address `ip`. Throws
 * CAPTCHA_MISSING, CAPTCHA_FAILED, CAPTCHA_UNAVAILABLE. The provider accepts a token only once.
 */
export type CaptchaVerifier = (token: string | undefined, ip: string) => Promise<void>;

interface ProviderFacts {
  readonly verifyUrl: string;
  /** Longer texts are not proofs and are not sent to the provider. */
  readonly maxTokenLength: number;
}

const FACTS_BY_PROVIDER: Readonly<Record<CaptchaProvider, ProviderFacts>> = {
  turnstile: {
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    maxTokenLength: 2048,
  },
  hcaptcha: { verifyUrl: 'https://api.hcaptcha.com/siteverify', maxTokenLength: 8192 },
};

/** Codes of both providers for faults of the provider or of our secret, rather than of the visitor. */
const notTheVisitors = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'not-using-dummy-passcode',
  'internal-error',
]);

const timeoutMs = 5_000;
const maxBytes = 64 * 1024;

/** Returns a verifier that calls `siteverify` of one provider. */
export function createCaptchaVerifier(options: CaptchaVerifierOptions): CaptchaVerifier {
  const { provider, secret, call } = options;
  const { verifyUrl, maxTokenLength } = FACTS_BY_PROVIDER[provider];
  return async (header, ip) => {
    const token = header?.trim() ?? '';
    if (token === '') throw fail('CAPTCHA_MISSING');
    if (token.length > maxTokenLength) throw fail('CAPTCHA_FAILED');
    const form = new URLSearchParams({ secret, response: token, remoteip: ip });
    const answer = await call({
      url: options.verifyUrl ?? verifyUrl,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: form.toString(),
      timeoutMs,
      maxBytes,
    }).catch((error: unknown) => {
      throw unavailable(error);
    });
    requireVerdict(answer);
  };
}

function requireVerdict({ status, text }: { readonly status: number; readonly text: string }) {
  const verdict = status < 500 && status !== 429 ? readVerdict(text) : undefined;
  if (!verdict) throw unavailable(new Error(`the CAPTCHA service answered ${status}`));
  if (verdict.success) return;
  const fault = verdict.codes.find((code) => notTheVisitors.has(code));
  if (fault !== undefined) throw unavailable(new Error(`the CAPTCHA service reports ${fault}`));
  throw fail('CAPTCHA_FAILED', {}, { cause: new Error(verdict.codes.join(', ')) });
}

interface Verdict {
  readonly success: boolean;
  readonly codes: readonly string[];
}

/** The verdict in an answer; undefined when there is none. */
function readVerdict(text: string): Verdict | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { success, 'error-codes': codes } = value;
  if (typeof success !== 'boolean') return undefined;
  return { success, codes: Array.isArray(codes) ? codes.map(String) : [] };
}

function unavailable(cause: unknown): AppError {
  return fail('CAPTCHA_UNAVAILABLE', {}, { cause });
}

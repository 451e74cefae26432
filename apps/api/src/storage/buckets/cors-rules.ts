// The answers of a bucket's CORS rules (Fetch standard, CORS protocol). Rules never allow cookies: requests to a bucket
// carry their credential in headers.
import { isAllowedOrigin } from '#libs/settings';

import { alwaysExposed, type CorsHeaders, type CorsQuestion } from '../../http/cors.js';

/** A request is allowed by the first rule that covers it. */
export interface CorsRule {
  /** `https://app.example.org`, `https://*.example.org`, `http://localhost:*`, or `*` for every origin. */
  readonly origins: readonly string[];
  /** In upper case. `GET` covers HEAD. */
  readonly methods: readonly string[];
  /** Headers that pages may send, in lower case; `*` for all. */
  readonly allowedHeaders: readonly string[];
  /**
   * Headers of answers that pages may read beyond `alwaysExposed` and those that the Fetch standard safelists; `*` for
   * all.
   */
  readonly exposedHeaders: readonly string[];
  /** How long a browser may remember the answer to a preflight. */
  readonly maxAgeSeconds: number;
}

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const variesByPreflight =
  'Origin, Access-Control-Request-Method, Access-Control-Request-Headers' as const;

/** The headers of the answer. Nothing is allowed if no rule covers the question. */
export function answerByRules(rules: readonly CorsRule[], question: CorsQuestion): CorsHeaders {
  const vary = question.kind === 'preflight' ? variesByPreflight : 'Origin';
  const rule = rules.find((each) => covers(each, question));
  if (!rule) return { vary };
  const allowed = {
    vary,
    'access-control-allow-origin': rule.origins.includes('*') ? '*' : question.origin,
  };
  if (question.kind === 'request') {
    const exposed = new Set([...alwaysExposed, ...rule.exposedHeaders]);
    return { ...allowed, 'access-control-expose-headers': [...exposed].join(', ') };
  }
  return {
    ...allowed,
    'access-control-allow-methods': rule.methods.join(', '),
    'access-control-max-age': String(rule.maxAgeSeconds),
    // A star would not cover the header Authorization, so the requested headers are named.
    ...(question.headers.length > 0 && {
      'access-control-allow-headers': question.headers.join(', '),
    }),
  };
}

function covers(rule: CorsRule, question: CorsQuestion): boolean {
  const { origin, method } = question;
  if (!rule.origins.includes('*') && !isAllowedOrigin(origin, rule.origins)) return false;
  if (!rule.methods.includes(method === 'HEAD' ? 'GET' : method) && !rule.methods.includes(method))
    return false;
  return (
    question.kind === 'request' ||
    question.headers.every((header) => coversHeader(rule.allowedHeaders, header))
  );
}

function coversHeader(allowed: readonly string[], header: string): boolean {
  return allowed.includes(header) || (allowed.includes('*') && headerName.test(header));
}

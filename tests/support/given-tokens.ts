// The tokens that answers, redirects and mails hand out.
import type { Reply } from './http.js';

/** Fields of answers whose texts let their holder in somewhere. */
const FIELDS = /^(token|mfaToken|trustToken|key|code|secret|backupCodes|apiKey|nonce)$/;
const HEADERS = ['set-auth-token', 'x-mfa-token', 'x-trust-token', 'x-challenge-token'] as const;
const PARAMETERS = ['token', 'rowhouse_code'] as const;

/** Shorter texts, such as codes of six digits, also stand in a dump by chance. */
const minLength = 16;

/** The tokens in an answer: in its body, its headers, its cookies and the addresses that it names. */
export function tokensIn(reply: Reply): readonly string[] {
  const headers = HEADERS.flatMap((name) => reply.headers[name] ?? []);
  // The state of a redirect lets nobody in: it says to which sign-in the code of a provider belongs.
  const cookies = (reply.headers['set-cookie'] ?? [])
    .filter((line) => !line.startsWith('better-auth.state='))
    .map((line) => line.split(';')[0]?.split('=').slice(1).join('=') ?? '');
  const { location = '' } = reply.headers;
  return [
    ...usable([...headers, ...cookies, ...linkedTokens(location)]),
    ...tokensOfFields(reply.body),
  ];
}

/** The tokens in the fields of a body. */
export function tokensOfFields(body: unknown): readonly string[] {
  return usable(fieldsIn(body));
}

function usable(tokens: readonly string[]): readonly string[] {
  return tokens.flatMap(forms).filter((text) => text.length >= minLength);
}

/** The tokens in the links of a text. */
export function linkedTokens(text: string): readonly string[] {
  return [...text.matchAll(/https?:\/\/[^\s"<>]+/g)].flatMap(([address]) => {
    const { searchParams, pathname, hash } = new URL(address);
    const named = PARAMETERS.flatMap((name) => searchParams.get(name) ?? []);
    const inPath = /\/reset-password\/([^/]+)/.exec(pathname)?.[1];
    const inHash = /token=([^&]+)/.exec(hash)?.[1];
    return [...named, inPath ?? '', inHash ?? ''].filter((each) => each.length >= minLength);
  });
}

function fieldsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') {
    return FIELDS.test(name) ? [value] : linkedTokens(value);
  }
  if (Array.isArray(value)) return value.flatMap((each) => fieldsIn(each, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => fieldsIn(each, key));
}

/** A token as it was given, decoded, and without the signature behind it. */
function forms(token: string): readonly string[] {
  const decoded = decodeURIComponent(token);
  const parts = decoded.startsWith('eyJ') ? [] : decoded.split(/[.!]/);
  return [...new Set([token, decoded, ...parts])];
}

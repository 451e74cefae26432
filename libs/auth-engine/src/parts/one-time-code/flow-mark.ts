// How a flow by redirects remembers that its client wants its result in parameters of ours: as the only parameter of
// the address that the redirects come back to, which every provider's flow keeps on the server from beginning to end.
// It holds the names of the result, the challenge, and what the address had behind its path: the engine adds its errors to an address, or sets
// them in the place of the application's parameters, and each would be lost in the other. It is taken off before a
// browser sees the address.

const name = 'rowhouse-flow';
// Links that were made by an earlier release have no third part: their other parameters are the application's.
const pattern = new RegExp(
  `(^|[?&])${name}=(code|rowhouse_code)(?:\\.([\\w-]{43})?(?:\\.([\\w-]*)\\.end)?)?(?=[&#]|$)`,
);
const challengePattern = /^[\w-]{43}$/;

/** The parameters of a result. The client acts on them alone, and takes them off. */
export const RESULT = {
  code: 'rowhouse_code',
  error: 'rowhouse_error',
  error_description: 'rowhouse_error_description',
} as const;
const resultPattern = new RegExp(`^(?:${Object.values(RESULT).join('|')})(?:=|$)`);

/** How a client asks for the result: in parameters of ours, or as clients of earlier releases do, in `code` and `error`. */
export const RESULT_KINDS = ['rowhouse_code', 'code'] as const;

/** What a client asked for when the flow began. */
export interface FlowMark {
  readonly kind: (typeof RESULT_KINDS)[number];
  /** The digest of the secret that only the client knows (RFC 7636 §4.2, S256). */
  readonly challenge: string | undefined;
}

/** Whether a text can be a challenge: base64url of 32 bytes. */
export function isChallenge(text: string): boolean {
  return challengePattern.test(text);
}

/** The address with the mark, in place of the mark that it has. */
export function markUrl(asked: string, { kind, challenge = '' }: FlowMark): string {
  const url = readMark(asked)?.url ?? asked;
  const end = url.search(/[?#]/);
  const [path, rest] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  const escaped = rest.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  const kept = Buffer.from(escaped).toString('base64url');
  // Programs that find the links of a mail leave a dot or a dash at their end out.
  return `${path}?${name}=${kind}.${challenge}.${kept}.end`;
}

/** A marked address as it was before, its mark, and the errors that were added since. */
export interface MarkedUrl {
  readonly url: string;
  readonly mark: FlowMark;
  readonly errors: readonly (readonly [name: 'error' | 'error_description', value: string])[];
}

/** Reads a marked address; undefined when it has no mark. */
export function readMark(marked: string): MarkedUrl | undefined {
  const [text, , asked, challenge, kept] = pattern.exec(marked) ?? [];
  const kind = RESULT_KINDS.find((each) => each === asked);
  if (text === undefined || kind === undefined) return undefined;
  const mark = { kind, challenge };
  if (kept === undefined) return { url: without(marked, pattern), mark, errors: [] };
  const rest = Buffer.from(kept, 'base64url').toString();
  // A client may send a mark of its own. What it keeps must not change the host.
  if (!/^(?:[?#][\x21-\x7e]*)?$/.test(rest)) return undefined;
  const { path, query } = partsOf(marked);
  const added = new URLSearchParams(query);
  const errors = (['error', 'error_description'] as const).flatMap((each) => {
    const value = added.get(each);
    return value === null ? [] : [[each, value] as const];
  });
  return { url: `${path}${rest}`, mark, errors };
}

/** The address that ends a marked flow: the application's, with the result in place of that of an earlier flow. */
export function endOfFlow({ url, mark, errors }: MarkedUrl, code?: string): string {
  const result = code === undefined ? errors : [['code', code] as const];
  return result.reduce(
    (address, [each, value]) =>
      withParameter(address, mark.kind === 'code' ? each : RESULT[each], value),
    without(url, resultPattern),
  );
}

/** The address with a parameter more. */
export function withParameter(url: string, parameter: string, value: string): string {
  const { path, query, fragment } = partsOf(url);
  const before = query === undefined ? '' : `${query}&`;
  return `${path}?${before}${parameter}=${encodeURIComponent(value)}${fragment}`;
}

function partsOf(url: string) {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url) ?? [];
  return { path, query, fragment };
}

/** The address without the parameters that fit `removed`; the others stay as they are written. */
function without(url: string, removed: RegExp): string {
  const { path, query, fragment } = partsOf(url);
  const kept = query?.split('&').filter((parameter) => !removed.test(parameter)) ?? [];
  return kept.length === 0 ? `${path}${fragment}` : `${path}?${kept.join('&')}${fragment}`;
}

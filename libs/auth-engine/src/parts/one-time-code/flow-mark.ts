// How a sign-in by redirects remembers that its client wants a code at the end instead of a cookie: as a
// parameter of the address that the redirects come back to, which every provider's flow keeps on the server
// from beginning to end. It is taken off before a browser sees the address.

const name = 'rowhouse-flow';
const pattern = new RegExp(`([?&])${name}=code(?:\\.([\\w-]{43}))?(?=[&#]|$)`);
const challengePattern = /^[\w-]{43}$/;

/** What a client asked for when the flow began. */
export interface FlowMark {
  /** The digest of the secret that only the client knows (RFC 7636 §4.2, S256). */
  readonly challenge: string | undefined;
}

/** Whether a text can be a challenge: base64url of 32 bytes. */
export function isChallenge(text: string): boolean {
  return challengePattern.test(text);
}

/** The address with the mark. */
export function markUrl(url: string, { challenge }: FlowMark): string {
  return withParameter(url, name, challenge === undefined ? 'code' : `code.${challenge}`);
}

/** The mark of an address, and the address without any; undefined when it has none. */
export function readMark(
  marked: string,
): { readonly url: string; readonly mark: FlowMark } | undefined {
  const found = pattern.exec(marked);
  if (!found) return undefined;
  let url = marked;
  for (let each = pattern.exec(url); each; each = pattern.exec(url)) url = without(url, each);
  return { url, mark: { challenge: found[2] } };
}

/** The address with a parameter more. */
export function withParameter(url: string, parameter: string, value: string): string {
  const hash = url.indexOf('#');
  const [address, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
  const separator = address.includes('?') ? '&' : '?';
  return `${address}${separator}${parameter}=${encodeURIComponent(value)}${fragment}`;
}

function without(url: string, found: RegExpExecArray): string {
  const [text, separator = ''] = found;
  const before = url.slice(0, found.index);
  const after = url.slice(found.index + text.length);
  // What follows a first parameter takes its place.
  return after.startsWith('&') ? `${before}${separator}${after.slice(1)}` : `${before}${after}`;
}

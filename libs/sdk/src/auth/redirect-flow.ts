/**
 * Sign-ins that lead to another page. The address of the final redirect contains a code that works once. Only the
 * client that began the flow can exchange it for a session: it alone has the verifier (RFC 7636).
 */
import { page } from '../page.js';
import { encodeBytes } from './base64url.js';
import type { SessionSource } from './session-source.js';

/** Asks for the result of a flow in {@link resultParams}. */
export const flowHeader = { 'x-rowhouse-flow': 'rowhouse_code' } as const;
/** Stored instead of a verifier if the flow has none. */
const noVerifier = '-';

/** Returns the headers of a request that begins a flow. The verifier is kept until the code arrives. */
export async function flowHeaders(source: SessionSource): Promise<Record<string, string>> {
  // Pages over plain HTTP cannot compute digests. Their code is not bound to a verifier.
  if (!('subtle' in crypto)) return linkHeaders(source);
  const verifier = encodeBytes(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  await source.memorize('flow', verifier);
  return { ...flowHeader, 'x-code-challenge': encodeBytes(digest) };
}

/** Returns the headers of a request that mails a link. It has no verifier: the link may be opened on another device. */
export async function linkHeaders(source: SessionSource): Promise<Record<string, string>> {
  await source.memorize('flow', noVerifier);
  return flowHeader;
}

/** The verifier of the flow that began last, if it has one. */
export async function verifierOf(source: SessionSource): Promise<string | undefined> {
  const verifier = await source.recall('flow');
  return verifier === noVerifier ? undefined : verifier;
}

/** The target of a flow: the given address, else the current page without its query. */
export function redirectAddress(asked: string | undefined): string | undefined {
  if (asked !== undefined || !page.location) return asked;
  const { origin, pathname } = new URL(page.location.href);
  return origin + pathname;
}

/** The result of a redirect, as its address contains it. */
export type RedirectResult =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'refused'; readonly error: string; readonly message: string }
  | { readonly kind: 'none' };

/** The parameters that the server adds to the target of a flow. All others belong to the application. */
const resultParams = ['rowhouse_code', 'rowhouse_error', 'rowhouse_error_description'] as const;

export function readRedirectResult({ searchParams }: URL): RedirectResult {
  const [code, error, message] = resultParams.map((name) => searchParams.get(name));
  if (error) return { kind: 'refused', error, message: message || error };
  return code ? { kind: 'code', code } : { kind: 'none' };
}

/** Removes the result of a flow from the page's address, so that a reload does not use it again. */
export function cleanAddress(): void {
  if (!page.location) return;
  const [, path = '', query, fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(page.location.href) ?? [];
  const isResult = (parameter: string) =>
    resultParams.some((name) => name === parameter.split('=')[0]);
  // As text: the other parameters stay as they are written.
  const kept = query?.split('&').filter((parameter) => !isResult(parameter)) ?? [];
  const address = kept.length === 0 ? path : `${path}?${kept.join('&')}`;
  page.history?.replaceState(null, '', `${address}${fragment}`);
}

/**
 * Sign-ins that lead to another page. The address of the final redirect contains a code that works once. Only the
 * client that began the flow can exchange it for a session: it alone has the verifier (RFC 7636).
 */
import { page } from '../page.js';
import { encodeBytes } from './base64url.js';
import type { SessionSource } from './session-source.js';

const flowHeader = { 'x-rowhouse-flow': 'code' } as const;
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

const resultParams = ['code', 'state', 'error', 'error_description'];

export function readRedirectResult(url: URL): RedirectResult {
  const { searchParams } = url;
  const error = searchParams.get('error');
  if (error) {
    return { kind: 'refused', error, message: searchParams.get('error_description') || error };
  }
  const code = searchParams.get('code');
  return code ? { kind: 'code', code } : { kind: 'none' };
}

/** Removes the result of a flow from the page's address, so that a reload does not use it again. */
export function cleanAddress(): void {
  if (!page.location) return;
  const url = new URL(page.location.href);
  for (const name of resultParams) url.searchParams.delete(name);
  page.history?.replaceState(null, '', url.href);
}

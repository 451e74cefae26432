/**
 * Sign-ins that lead over another page. What comes back in the address is a code that works once, and that
 * only the client which began can trade for a session: it alone knows the verifier (RFC 7636).
 */
import { page } from '../page.js';
import { encodeBytes } from './base64url.js';
import type { SessionSource } from './session-source.js';

const flowHeader = { 'x-rowhouse-flow': 'code' } as const;
/** Kept in place of a verifier when the flow has none. */
const noVerifier = '-';

/** The headers of a request that begins a flow. The verifier is kept until the code comes. */
export async function flowHeaders(source: SessionSource): Promise<Record<string, string>> {
  // Pages that came over plain HTTP have no digests. Their code is bound to nothing.
  if (!('subtle' in crypto)) return linkHeaders(source);
  const verifier = encodeBytes(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  await source.memorize('flow', verifier);
  return { ...flowHeader, 'x-code-challenge': encodeBytes(digest) };
}

/** The headers of a request that mails a link. It has no verifier: it may be opened on another device. */
export async function linkHeaders(source: SessionSource): Promise<Record<string, string>> {
  await source.memorize('flow', noVerifier);
  return flowHeader;
}

/** The verifier of the flow that began last, if it has one. */
export async function verifierOf(source: SessionSource): Promise<string | undefined> {
  const verifier = await source.recall('flow');
  return verifier === noVerifier ? undefined : verifier;
}

/** Where a flow shall lead: what is asked for, else the page that asks, without its query. */
export function redirectAddress(asked: string | undefined): string | undefined {
  if (asked !== undefined || !page.location) return asked;
  const { origin, pathname } = new URL(page.location.href);
  return origin + pathname;
}

/** What the address says of a flow that ended here. */
export type Arrival =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'refused'; readonly error: string; readonly message: string }
  | { readonly kind: 'none' };

const arrivalParams = ['code', 'state', 'error', 'error_description'];

export function readArrival(url: URL): Arrival {
  const { searchParams } = url;
  const error = searchParams.get('error');
  if (error) {
    return { kind: 'refused', error, message: searchParams.get('error_description') || error };
  }
  const code = searchParams.get('code');
  return code ? { kind: 'code', code } : { kind: 'none' };
}

/** Takes what a flow has brought out of the page's address, so that reloading does not bring it again. */
export function cleanAddress(): void {
  if (!page.location) return;
  const url = new URL(page.location.href);
  for (const name of arrivalParams) url.searchParams.delete(name);
  page.history?.replaceState(null, '', url.href);
}

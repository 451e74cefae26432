// What happens when a link of a mail is opened, before the engine sees it. The route behind it takes a GET
// and uses the link up; here a GET shows a page, and the POST of its button becomes that GET.
import type { AuthContext } from 'better-auth';
import { authPath, isRecord } from '#libs/wire';
import { confirmPage, type ConfirmTexts } from './confirm-page.js';

export const verifyPath = '/magic-link/verify';

/** Of a link. Where it leads was decided before. */
const FIELDS = ['token', 'callbackURL', 'newUserCallbackURL', 'errorCallbackURL'];

/** A kind of links. */
export interface LinkRoute {
  readonly path: string;
  /** Whether a link shows a page with a button before it does anything. */
  readonly asks: boolean;
  readonly texts: ConfirmTexts;
}

/** The page of links that sign in. */
export const signInTexts: ConfirmTexts = {
  title: 'Sign in',
  text: 'You have opened a link that signs you in. Press the button to go on in this browser.',
  button: 'Sign in',
  note: 'The link works once. If you did not ask for it, close this page and nothing happens.',
};

/** The page of links that prove an address. */
const proofTexts: ConfirmTexts = {
  title: 'Confirm your email address',
  text: 'You have opened a link that proves this address is yours. Press the button to confirm it.',
  button: 'Confirm',
  note: 'If you did not make an account, close this page and nothing happens.',
};

type Opened = { readonly response: Response } | { readonly request: Request } | undefined;

/** Answers, replaces or leaves alone a request. */
export async function openLink(
  request: Request,
  context: AuthContext,
  { path, asks, texts }: LinkRoute,
): Promise<Opened> {
  const url = new URL(request.url);
  if (url.pathname !== `${authPath}${path}`) return undefined;
  if (request.method === 'GET') {
    if (!asks && !isPrefetch(request.headers)) return undefined;
    const fields = fieldsOf(Object.fromEntries(url.searchParams));
    const action = path.slice(path.lastIndexOf('/') + 1);
    return { response: confirmPage({ texts, action, fields }) };
  }
  if (request.method !== 'POST') return undefined;
  if (!isOwnForm(request.headers, context)) {
    return { response: refusal('INVALID_ORIGIN', 'This page may not open links of mails') };
  }
  const fields = fieldsOf(await readFields(request));
  return { request: asGet(request, fields) };
}

/**
 * {@link openLink} for a link that proves an address. A script on a page of the application may fetch the link:
 * that page has a reader in front of it, which programs that read mails do not imitate.
 */
export function openProof(request: Request, context: AuthContext, path: string): Promise<Opened> {
  const origin = request.headers.get('origin');
  const asks = origin === null || origin === 'null' || !context.isTrustedOrigin(origin);
  return openLink(request, context, { path, asks, texts: proofTexts });
}

/** A browser that only prepares for a page which may never be looked at. */
function isPrefetch(headers: Headers): boolean {
  const purpose = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name));
  return purpose.some((value) => value !== null && /prefetch|prerender|preview/i.test(value));
}

/**
 * Whether a POST comes from our page, from a page of the application, or from no page at all. Others would
 * sign their visitors in as another user. Our page hides where it is, so its origin is `null` and the
 * browser's word on the site has to do (Fetch Metadata).
 */
function isOwnForm(headers: Headers, context: AuthContext): boolean {
  const origin = headers.get('origin');
  if (origin !== null && origin !== 'null') return context.isTrustedOrigin(origin);
  return ['same-origin', 'none', null].includes(headers.get('sec-fetch-site'));
}

async function readFields(request: Request): Promise<unknown> {
  const text = await request.text();
  const type = request.headers.get('content-type') ?? '';
  return type.startsWith('application/json')
    ? (JSON.parse(text) as unknown) // JSON.parse is typed as any; nothing is assumed of the value.
    : Object.fromEntries(new URLSearchParams(text));
}

function fieldsOf(sent: unknown): Readonly<Record<string, string>> {
  if (!isRecord(sent)) return {};
  const entries = FIELDS.map((name): readonly [string, unknown] => [name, sent[name]]);
  return Object.fromEntries(
    entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string'),
  );
}

function refusal(code: string, message: string): Response {
  return Response.json({ code, message }, { status: 403 });
}

function asGet(request: Request, fields: Readonly<Record<string, string>>): Request {
  const url = new URL(request.url);
  url.search = new URLSearchParams(fields).toString();
  const headers = new Headers(request.headers);
  for (const name of ['content-type', 'content-length']) headers.delete(name);
  return new Request(url, { headers });
}

// A request below /api/auth, from its arrival to its answer: route -> rate limit -> session -> engine ->
// error body. What reaches the engine is a request made anew: its host is the project's, the client's
// address is the one that the server saw, and at most one credential is left.
import { AppError, fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';
import {
  engineErrorResponse,
  readEngineError,
  showable,
  appErrorResponse,
  violates,
  type EngineError,
} from './auth-errors.js';
import { addressHeader, type AuthLogEntry } from './auth-options.js';
import { clientKey } from './client-address.js';
import { queryRows, type EnginePool } from './engine-pool.js';
import type { RateLimiter } from './rate-limiter.js';
import { matchRoute, type MatchedRoute } from './routes.js';
import type { SessionHeaders } from './session-token.js';

/** What the HTTP layer knows about a request. */
export interface RequestContext {
  /** The client's address as the server determined it. */
  readonly ip: string;
  readonly requestId: string;
}

export interface HandlerParts {
  readonly engine: (request: Request) => Promise<Response>;
  readonly findToken: (headers: SessionHeaders) => string | undefined;
  /** A `Set-Cookie` value that ends the session cookie. */
  readonly expiredCookie: string;
  readonly limits: SettingsOf<'security.rateLimit'>;
  readonly rateLimiter: RateLimiter;
  readonly pool: EnginePool;
  readonly baseUrl: string;
  readonly log: (entry: AuthLogEntry) => void;
}

type Handler = (request: Request, context: RequestContext) => Promise<Response>;

const REMOVED_HEADERS =
  /^(host|forwarded|via|x-forwarded-.*|x-real-ip|x-internal-ip|cf-connecting-ip|true-client-ip)$/;

/** The function that answers the requests of one instance. */
export function createHandler(parts: HandlerParts): Handler {
  return async (request, context) => {
    try {
      return await answer(parts, request, context);
    } catch (error) {
      const shown = showable(error);
      if (shown.status >= 500) {
        const level = shown.status === 500 ? 'error' : 'warn';
        parts.log({ level, message: 'An auth request failed', cause: shown.cause ?? shown });
      }
      return appErrorResponse(shown, context.requestId);
    }
  };
}

async function answer(
  parts: HandlerParts,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const url = new URL(request.url);
  const route = matchRoute(request.method, url.pathname);
  await limit(parts, route, context.ip);
  const token = parts.findToken({
    authorization: request.headers.get('authorization') ?? undefined,
    cookie: request.headers.get('cookie') ?? undefined,
  });
  if (token !== undefined && !(await isActive(parts.pool, token))) {
    const refused = appErrorResponse(fail('USER_INACTIVE'), context.requestId);
    // Otherwise a browser could neither sign out nor sign in as somebody else.
    refused.headers.append('set-cookie', parts.expiredCookie);
    return refused;
  }
  const body = await readJson(request);
  const inner = innerRequest({ request, url, token, body, ip: context.ip, baseUrl: parts.baseUrl });
  const response = await callEngine(parts, inner);
  if (response.status < 400) {
    response.headers.set('cache-control', route.cacheControl);
    return response;
  }
  return refuse({ parts, route, response, body, requestId: context.requestId });
}

/** A JSON body, as it was sent and as it was understood. */
interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

/** The body of a request, which must be JSON: a form could be sent by any web page. */
async function readJson(request: Request): Promise<JsonBody | undefined> {
  const text = request.body === null ? '' : await request.text();
  if (text === '') return undefined;
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) throw fail('UNSUPPORTED_MEDIA_TYPE', { type });
  try {
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw fail('INVALID_JSON', {}, { cause: error });
  }
}

async function limit(parts: HandlerParts, route: MatchedRoute, ip: string): Promise<void> {
  const { enabled, windowSeconds, max, credentialMax } = parts.limits;
  if (!enabled) return;
  const client = clientKey(ip);
  const all = await parts.rateLimiter.consume(`all:${client}`, { windowSeconds, max });
  const attempts = route.isAttempt
    ? await parts.rateLimiter.consume(`attempt:${client}`, { windowSeconds, max: credentialMax })
    : all;
  const refused = [all, attempts].find((verdict) => !verdict.allowed);
  if (refused) {
    throw fail('RATE_LIMITED', {}, { retryAfterSeconds: refused.retryAfterSeconds });
  }
}

/** Whether the session's user may be served; a token without a session is the engine's to refuse. */
async function isActive(pool: EnginePool, token: string): Promise<boolean> {
  const rows = await queryRows<{ status: string }>(
    pool,
    `select u.status from auth.session s join auth."user" u on u.id = s."userId"
     where s.token = $1 and s."expiresAt" > now()`,
    [token],
  );
  return rows.every(({ status }) => status === 'active');
}

interface InnerRequest {
  readonly request: Request;
  readonly url: URL;
  readonly token: string | undefined;
  readonly body: JsonBody | undefined;
  readonly ip: string;
  readonly baseUrl: string;
}

function innerRequest({ request, url, token, body, ip, baseUrl }: InnerRequest): Request {
  const headers = new Headers();
  for (const [name, value] of request.headers) {
    if (!REMOVED_HEADERS.test(name)) headers.append(name, value);
  }
  headers.set(addressHeader, ip);
  // A browser tells the site of a request whenever it tells the mode. The `fetch` of Node.js tells the mode
  // alone, and the engine would take it for a page that hides its origin.
  if (!headers.has('sec-fetch-site')) headers.delete('sec-fetch-mode');
  if (token !== undefined) {
    headers.set('authorization', `Bearer ${token}`);
  } else if (headers.has('authorization')) {
    // The header showed no session, so none of a cookie may be used instead.
    headers.delete('authorization');
    headers.delete('cookie');
  }
  return new Request(new URL(`${url.pathname}${url.search}`, baseUrl), {
    method: request.method,
    headers,
    ...(body && { body: body.text }),
  });
}

async function callEngine(parts: HandlerParts, request: Request): Promise<Response> {
  try {
    return await parts.engine(request);
  } catch (error) {
    throw violates(error, 'user_username_key')
      ? fail('USERNAME_TAKEN', {}, { cause: error })
      : error;
  }
}

interface Refusal {
  readonly parts: HandlerParts;
  readonly route: MatchedRoute;
  readonly response: Response;
  readonly body: JsonBody | undefined;
  readonly requestId: string;
}

async function refuse({ parts, route, response, body, requestId }: Refusal): Promise<Response> {
  const error = await readEngineError(response);
  if (error.status >= 500) {
    throw new Error(`the auth engine answered ${error.status} ${error.code}`);
  }
  if (route.path === '/sign-up/email' && error.code === 'FAILED_TO_CREATE_USER') {
    throw await signUpConflict(parts.pool, body, error);
  }
  return engineErrorResponse(error, response, requestId);
}

/** Which unique value another sign-up took while this one ran: the engine does not tell. */
async function signUpConflict(
  pool: EnginePool,
  body: JsonBody | undefined,
  error: EngineError,
): Promise<AppError> {
  const sent = body?.value;
  const [email, username] =
    typeof sent === 'object' && sent !== null
      ? [Reflect.get(sent, 'email'), Reflect.get(sent, 'username')].map(String)
      : [];
  const rows = await queryRows<{ email: string }>(
    pool,
    `select email from auth."user" where email = lower($1) or lower(username) = lower($2)`,
    [email, username],
  );
  if (rows.some((row) => row.email === email?.toLowerCase())) return fail('USER_ALREADY_EXISTS');
  if (rows.length > 0) return fail('USERNAME_TAKEN');
  return fail('INTERNAL_ERROR', {}, { cause: error });
}

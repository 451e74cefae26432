// A request below /api/auth, from its arrival to its answer: route -> rate limit -> session -> engine ->
// error body. The engine gets a new request: its host is the project's, the client's
// address is the one that the server saw, and at most one credential is left.
import { AppError, ERRORS, fail } from '#libs/errors';
import type { RateLimiter } from '#libs/wire';
import {
  addressHeader,
  type AuthLogEntry,
  type AuthSettings,
  type MessageStore,
} from './auth-config.js';
import {
  engineErrorResponse,
  isCollision,
  readEngineError,
  showable,
  appErrorResponse,
  violates,
  type EngineError,
} from './auth-errors.js';
import { cookiesToHeaders, headersToCookies, type CarriedCookie } from './carried-cookies.js';
import { endBan } from './ended-bans.js';
import { queryRows, type EnginePool } from './engine-pool.js';
import { storingMessages } from './outgoing-messages.js';
import { endOfFlow, readMark } from './parts/one-time-code/flow-mark.js';
import { organizationRefusal } from './parts/organization/refusals.js';
import { withdrawLateAccess } from './parts/session-policy/unproven-access.js';
import { resolveBodyTargets, resolveQueryTargets, type TargetRules } from './redirect-targets.js';
import {
  readBody,
  type ReadText,
  refuseUnstorable,
  type SentBody,
  withAddress,
  withValue,
} from './request-body.js';
import { countingGuesses } from './request-guesses.js';
import { addressUses, countUses, type CountedRequest, identifierUses } from './request-limits.js';
import type { Router } from './router.js';
import type { MatchedRoute } from './part.js';
import type { SessionHeaders } from './session-token.js';
import { sessionTokenHash } from './session-token-hashes.js';
import { fieldIn } from './fields.js';

/** A request below `/api/auth` as it came. The standard's Request is made once, for the engine. */
export interface EngineRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Reads the body, '' without one, once the limits allow it. */
  readonly readText: ReadText;
}

/** What the HTTP layer knows about a request. */
export interface RequestContext {
  /** The client's address as the server determined it. */
  readonly ip: string;
  readonly requestId: string;
  /** The origin of the custom domain under which the request arrived; its pages count as those of the project. */
  readonly ownOrigin?: string | undefined;
  /** Whether the caller may learn which settings a route needs; asked only for routes that are turned off. */
  readonly mayReadSettings?: () => Promise<boolean>;
}

export interface HandlerParts {
  readonly engine: (request: Request) => Promise<Response>;
  readonly router: Router;
  readonly findToken: (headers: SessionHeaders) => string | undefined;
  /** A `Set-Cookie` value that ends the session cookie. */
  readonly expiredCookie: string;
  /** What the name of every cookie of the engine begins with. */
  readonly cookiePrefix: string;
  readonly carriedCookies: readonly CarriedCookie[];
  readonly settings: AuthSettings;
  readonly rateLimiter: RateLimiter;
  readonly pool: EnginePool;
  readonly messages: MessageStore;
  readonly onWrite: (() => Promise<void>) | undefined;
  readonly targets: TargetRules;
  readonly baseUrl: string;
  readonly log: (entry: AuthLogEntry) => void;
}

type Handler = (request: EngineRequest, context: RequestContext) => Promise<Response>;

/** Headers of one connection, those that say where a request came from, and those that only the server reads. */
const REMOVED_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip|x-rowhouse-operator|x-service-client-ip)$|^x-(?:forwarded|internal)-/;

/** The function that answers the requests of one instance. */
export function createHandler(parts: HandlerParts): Handler {
  return async (request, context) => {
    try {
      return await answer(parts, request, context);
    } catch (error) {
      const shown = showable(error);
      if (shown.status >= 500) logFailure(parts, shown, context.requestId);
      return appErrorResponse(shown, context.requestId);
    }
  };
}

function logFailure({ log }: HandlerParts, failure: AppError, requestId: string): void {
  const level = failure.status === 500 ? 'error' : 'warn';
  log({ level, message: 'An auth request failed', requestId, cause: failure.cause ?? failure });
}

async function answer(
  parts: HandlerParts,
  request: EngineRequest,
  context: RequestContext,
): Promise<Response> {
  const url = new URL(request.url);
  const query = resolveQueryTargets(url.searchParams, parts.targets);
  if (query !== url.searchParams) url.search = query.toString();
  const needed = parts.router.neededFor(url.pathname);
  if (needed && (await context.mayReadSettings?.())) throw switchedOff(url.pathname, needed);
  const route = parts.router.match(request.method, url.pathname);
  if (url.pathname.includes('%00')) throw fail('NOT_FOUND', { path: url.pathname });
  refuseUnstorable(Object.fromEntries(url.searchParams));
  await countUses(parts.rateLimiter, addressUses(parts.settings, { route, ip: context.ip }));
  const token = parts.findToken({
    authorization: request.headers.get('authorization') ?? undefined,
    cookie: request.headers.get('cookie') ?? undefined,
  });
  const since = new Date();
  const holder = token === undefined ? undefined : await findHolder(parts.pool, token);
  if (holder && holder.status !== 'active' && !(await endBan(parts.pool, holder.userId))) {
    const refused = appErrorResponse(fail('USER_INACTIVE'), context.requestId);
    // Otherwise a browser could neither sign out nor sign in as another user.
    refused.headers.append('set-cookie', parts.expiredCookie);
    return refused;
  }
  if (holder?.isImpersonated && isForOwners(route)) throw fail('IMPERSONATED_SESSION');
  const sent = await readBody(request.headers, route, request.readText);
  refuseUnstorable(sent?.value);
  if (holder?.isImpersonated && hasOwnerFields(route, sent?.value)) {
    throw fail('IMPERSONATED_SESSION');
  }
  const addressed = sent && withAddress(sent, route);
  const body =
    addressed && withValue(addressed, resolveBodyTargets(addressed.value, parts.targets));
  const counted = { route, ip: context.ip, body: body?.value };
  await countUses(parts.rateLimiter, identifierUses(parts.settings, counted));
  const ofEngine = buildEngineRequest(parts, { request, url }, { token, body }, context);
  try {
    const { requestId } = context;
    return await carryOut(parts, { counted, ofEngine, sent: body, holder, since, requestId });
  } finally {
    if (route.isWrite) await parts.onWrite?.();
  }
}

/** A request that may go to the engine. */
interface CheckedRequest {
  readonly counted: CountedRequest;
  readonly ofEngine: Request;
  readonly sent: SentBody | undefined;
  readonly holder: Holder | undefined;
  /** When the request came. */
  readonly since: Date;
  readonly requestId: string;
}

async function carryOut(
  parts: HandlerParts,
  { counted, ofEngine, sent, holder, since, requestId }: CheckedRequest,
): Promise<Response> {
  const { route } = counted;
  const onFailure = (failure: AppError) => logFailure(parts, failure, requestId);
  const sending = { store: parts.messages, settings: parts.settings, route, onFailure };
  const response = await storingMessages(sending, () =>
    countingGuesses(parts, counted, () => callEngine(parts, ofEngine)),
  );
  if (response.status >= 400) return refuse({ parts, route, response, body: sent, requestId });
  if (route.addsAccess && holder?.emailVerified === false) {
    const isLate = await withdrawLateAccess(parts.pool, { userId: holder.userId, since });
    if (isLate) throw fail('CONCURRENT_CHANGE');
  }
  endMarkedFlow(response.headers);
  response.headers.set('cache-control', route.cacheControl);
  cookiesToHeaders(response.headers, parts.carriedCookies, parts.cookiePrefix);
  return response;
}

/** Lets a redirect lead to the address that the client named, with an error of the flow in parameters of ours. */
function endMarkedFlow(headers: Headers): void {
  const found = readMark(headers.get('location') ?? '');
  if (found) headers.set('location', endOfFlow(found));
}

function switchedOff(path: string, needed: readonly string[]): AppError {
  const hint = `The settings turn this route off. It needs ${needed.join(' and ')}`;
  return fail('NOT_FOUND', { path }, { hint });
}

interface Holder {
  readonly userId: string;
  readonly status: string;
  readonly emailVerified: boolean;
  readonly isImpersonated: boolean;
}

/** Whether an administrator who impersonates a user is refused: what they would change outlasts their session. */
function isForOwners({ addsAccess, needsSecondFactor, isOwnerOnly }: MatchedRoute): boolean {
  return (addsAccess ?? needsSecondFactor ?? isOwnerOnly) === true;
}

/** Whether a body has fields for which the route {@link isForOwners}. */
function hasOwnerFields({ ownerOnlyFields = [] }: MatchedRoute, body: unknown): boolean {
  return ownerOnlyFields.some((name) => fieldIn(body, name) !== undefined);
}

/** The user of a session. A token without a session is the engine's to refuse. */
async function findHolder(pool: EnginePool, token: string): Promise<Holder | undefined> {
  const [row] = await queryRows<Holder>(
    pool,
    `select u.id as "userId", u.status, u."emailVerified",
       s."impersonatedBy" is not null as "isImpersonated"
     from auth.session s join auth."user" u on u.id = s."userId"
     where s."tokenHash" = $1 and s."expiresAt" > pg_catalog.now()`,
    [sessionTokenHash(token)],
  );
  return row;
}

/** The request as the engine gets it: with the caller's credential, address and origin, and without other headers. */
function buildEngineRequest(
  parts: HandlerParts,
  { request, url }: { readonly request: EngineRequest; readonly url: URL },
  { token, body }: { readonly token: string | undefined; readonly body: SentBody | undefined },
  { ip, ownOrigin }: RequestContext,
): Request {
  const headers = new Headers();
  for (const [name, value] of request.headers) {
    if (!REMOVED_HEADERS.test(name)) headers.append(name, value);
  }
  headers.set(addressHeader, ip);
  if (ownOrigin !== undefined && headers.get('origin') === ownOrigin) {
    headers.set('origin', parts.baseUrl);
  }
  // A browser sends the site of a request whenever it sends the mode. The `fetch` of Node.js sends the mode
  // alone, and the engine would take it for a page that hides its origin.
  if (!headers.has('sec-fetch-site')) headers.delete('sec-fetch-mode');
  if (token !== undefined) {
    headers.set('authorization', `Bearer ${token}`);
  } else if (headers.has('authorization')) {
    // The header showed no session, so none of a cookie may be used instead.
    headers.delete('authorization');
    headers.delete('cookie');
  }
  headersToCookies(headers, parts.carriedCookies, {
    prefix: parts.cookiePrefix,
    origin: parts.baseUrl,
  });
  const made = new Request(new URL(`${url.pathname}${url.search}`, parts.baseUrl), {
    method: request.method,
    headers,
    ...(body && { body: body.text }),
  });
  // The body is parsed already; the engine need not do it a second time.
  if (body?.kind === 'json') {
    Object.defineProperty(made, 'json', { value: () => Promise.resolve(body.value) });
  }
  return made;
}

/** Foreign keys to the user of the request. */
const OF_THE_USER = [
  'session_userId_fkey',
  'account_userId_fkey',
  'twoFactor_userId_fkey',
  'passkey_userId_fkey',
] as const;

async function callEngine(parts: HandlerParts, request: Request): Promise<Response> {
  try {
    return await parts.engine(request);
  } catch (error) {
    if (violates(error, 'user_username_key')) throw fail('USERNAME_TAKEN', {}, { cause: error });
    // The user was deleted after the proof: the same answer as a moment later.
    const isGone = OF_THE_USER.some((constraint) => violates(error, constraint));
    if (isGone) throw fail('USER_INACTIVE', {}, { cause: error });
    if (isCollision(error)) throw fail('CONCURRENT_CHANGE', {}, { cause: error });
    throw organizationRefusal(error) ?? error;
  }
}

interface Refusal {
  readonly parts: HandlerParts;
  readonly route: MatchedRoute;
  readonly response: Response;
  readonly body: SentBody | undefined;
  readonly requestId: string;
}

async function refuse({ parts, route, response, body, requestId }: Refusal): Promise<Response> {
  const error = await readEngineError(response);
  // Those of our table, such as a hook that cannot be asked, are the caller's to know.
  if (error.status >= 500 && !Object.hasOwn(ERRORS, error.code)) {
    throw new Error(`the auth engine answered ${error.status} ${error.code}`);
  }
  if (route.createsAccount && error.code === 'FAILED_TO_CREATE_USER') {
    throw await signUpConflict(parts.pool, body, error);
  }
  return engineErrorResponse(error, response, requestId);
}

/** Finds which unique value another sign-up took while this one ran: the engine does not say. */
async function signUpConflict(
  pool: EnginePool,
  body: SentBody | undefined,
  error: EngineError,
): Promise<AppError> {
  const [email, username] = ['email', 'username'].map((name) => String(fieldIn(body?.value, name)));
  const rows = await queryRows<{ email: string }>(
    pool,
    `select email from auth."user" where email = $1 or pg_catalog.lower(username) = pg_catalog.lower($2)`,
    [email, username],
  );
  if (rows.some((row) => row.email === email)) return fail('USER_ALREADY_EXISTS');
  if (rows.length > 0) return fail('USERNAME_TAKEN');
  return fail('INTERNAL_ERROR', {}, { cause: error });
}

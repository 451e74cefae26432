// Sign-in by redirects for clients without cookies. A client says when a flow begins that it wants a code
// (header `x-rowhouse-flow: rowhouse_code`, with an S256 challenge in `x-code-challenge`); the last redirect of the
// flow, of whatever provider, carries the code as `rowhouse_code` and no cookie, or an error as `rowhouse_error`;
// POST /exchange-code gives the session for the code. Clients of earlier releases ask for `code` and get `code`
// and `error`.
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { getAuthStateVerificationIdentifier } from '@better-auth/core/utils/state';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { endpoint, hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { requiredText, textField, fieldIn } from '../../fields.js';
import { type AuthPart, write, type Route } from '../../part.js';
import { issueCode, redeemCode } from './codes.js';
import {
  endOfFlow,
  isChallenge,
  markUrl,
  readMark,
  RESULT_KINDS,
  type FlowMark,
} from './flow-mark.js';
import { currentRoute } from '../../outgoing-messages.js';

const flowHeader = 'x-rowhouse-flow';
const challengeHeader = 'x-code-challenge';

/** Codes at the end of redirects. */
export const oneTimeCode: AuthPart = {
  name: 'oneTimeCode',
  routes: {
    '/exchange-code': {
      ...write,
      summary: 'Exchange a one-time code for a session',
      fields: 'code! codeVerifier!',
      answer: 'SignedIn',
      limit: 'verifyCode',
    },
  },
  build: (config) => ({ plugins: [oneTimeCodePlugin(config)] }),
};

const isAt = (step: Route['flow']) => () => currentRoute()?.flow === step;

function oneTimeCodePlugin(config: AuthConfig): BetterAuthPlugin {
  return {
    id: 'platform-one-time-code',
    endpoints: { exchangeCode: exchangeCode(config) },
    hooks: {
      before: [
        { matcher: isAt('begins'), handler: beginFlow(config) },
        { matcher: isAt('returns'), handler: continueFlow },
      ],
      after: [
        { matcher: isAt('returns'), handler: endFlow(config) },
        { matcher: isAt('ends'), handler: endFlow(config) },
      ],
    },
  };
}

function exchangeCode({ pool }: AuthConfig) {
  return endpoint('/exchange-code', { method: 'POST' }, async (ctx, body) => {
    const code = requiredText(body, 'code');
    const token = await redeemCode(pool, { code, verifier: textField(body, 'codeVerifier') });
    const found =
      token === undefined ? undefined : await ctx.context.internalAdapter.findSession(token);
    if (!found) throw fail('INVALID_CODE');
    if (found.user['status'] !== 'active') throw fail('USER_INACTIVE');
    await setSessionCookie(ctx, found);
    return ctx.json({ token: found.session.token, user: found.user });
  });
}

/** Marks the addresses that the flow ends at. */
function beginFlow({ settings }: AuthConfig) {
  return hook(async (ctx, body) => {
    const mark = askedFlow(ctx.headers);
    if (!mark || !body) return undefined;
    const end = textField(body, 'callbackURL') ?? settings['auth.urls'].siteUrl ?? '/';
    const endOfNew = textField(body, 'newUserCallbackURL');
    const marked = {
      callbackURL: markUrl(end, mark),
      ...(endOfNew !== undefined && { newUserCallbackURL: markUrl(endOfNew, mark) }),
      // The engine takes the first address when there is none for errors.
      errorCallbackURL: markUrl(textField(body, 'errorCallbackURL') ?? end, mark),
    };
    return { context: { body: { ...body, ...marked } } };
  });
}

function askedFlow(headers: Headers | undefined): FlowMark | undefined {
  const flow = headers?.get(flowHeader) ?? undefined;
  if (flow === undefined) return undefined;
  const kind = RESULT_KINDS.find((each) => each === flow);
  if (kind === undefined) throw badHeader(flowHeader, `must be ${RESULT_KINDS.join(' or ')}`);
  const challenge = headers?.get(challengeHeader) ?? undefined;
  if (challenge !== undefined && !isChallenge(challenge)) {
    throw badHeader(challengeHeader, 'must be the base64url of a SHA-256 digest');
  }
  return { kind, challenge };
}

function badHeader(field: string, reason: string): Error {
  return fail('INVALID_INPUT', { field, reason });
}

/**
 * A flow with a challenge needs no cookie that proves who began it: its code is worth nothing to anybody else
 * (RFC 9700 §2.1). Linking another identity to an account still needs the cookie.
 */
const continueFlow = hook(async (ctx, body) => {
  const state = textOf(ctx.query, 'state') ?? textOf(body, 'state');
  if (state === undefined) return;
  const { internalAdapter, oauthConfig } = ctx.context;
  const row = await internalAdapter.findVerificationValue(
    getAuthStateVerificationIdentifier(state),
  );
  const flow: unknown = row ? JSON.parse(row.value) : undefined;
  const end = textOf(flow, 'callbackURL');
  if (!isRecord(flow) || end === undefined || flow['link'] !== undefined) return;
  if (readMark(end)?.mark.challenge === undefined) return;
  // The context belongs to this request alone.
  ctx.context.oauthConfig = { ...oauthConfig, skipStateCookieCheck: true };
});

/** Puts the code into the redirect and takes the cookies of the session out of the answer. */
function endFlow({ pool }: AuthConfig) {
  return hook(async (ctx) => {
    const { returned, responseHeaders, newSession } = ctx.context;
    const found = readMark(responseHeaders?.get('location') ?? '');
    if (!found || !responseHeaders || !isAPIError(returned) || returned.status !== 'FOUND') return;
    // The mark is taken off where the answer leaves (handle-request.ts): errors are redirected before hooks run, too.
    if (!newSession || found.errors.length > 0) return;
    removeSession(responseHeaders, ctx.context);
    const { challenge } = found.mark;
    const code = await issueCode(pool, { sessionId: newSession.session.id, challenge });
    throw ctx.redirect(endOfFlow(found, code));
  });
}

function removeSession(headers: Headers, { authCookies }: AuthContext): void {
  const names = Object.values(authCookies).map(({ name }) => `${name}=`);
  const kept = headers
    .getSetCookie()
    .filter((line) => !names.some((name) => line.startsWith(name)));
  headers.delete('set-cookie');
  headers.delete('set-auth-token');
  for (const line of kept) headers.append('set-cookie', line);
}

function textOf(value: unknown, name: string): string | undefined {
  const found = fieldIn(value, name);
  return typeof found === 'string' ? found : undefined;
}

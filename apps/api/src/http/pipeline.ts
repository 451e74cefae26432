// The hooks of a request, in order. A request to a project gets its project and its credential here; the
// guard, the controller and the reply follow. The server's own routes have no project.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { fromOutage } from '#libs/errors';
import { assertionHeader } from '#libs/secrets';
import type { Lease, ProjectRegistry, ProjectRuntime } from '#libs/project-runtime';
import { isAllowedOrigin } from '#libs/settings';
import { closeIfUnread, logRequest, requirePlainTarget } from '#libs/web';
import { type Credential, isRefused } from '#libs/wire';

import { type RouteRule, ruleOf } from './access.js';
import { checkCaptcha } from './captcha.js';
import { ClientGone } from './client-gone.js';
import { cookieIn } from './cookies.js';
import { applyCors, type CorsHeaders } from './cors.js';
import { readCredential, settleCredential } from './credential.js';
import { hostOf, requireOneHost } from './host.js';
import { FairTurns } from './fair-turns.js';
import type { RequestScope } from './request-scope.js';

/** What the hooks work with. */
export interface PipelineDeps {
  readonly registry: ProjectRegistry<ProjectRuntime>;
  readonly assertionKey: Buffer;
  readonly now: () => number;
  readonly findOwnCors: FindOwnCors;
}

/**
 * The CORS headers of whatever has rules of its own, at once when nobody must be asked for them; undefined where
 * those of the project hold.
 */
export type FindOwnCors = (
  project: ProjectRuntime,
  request: FastifyRequest,
) => CorsHeaders | Promise<CorsHeaders | undefined> | undefined;

/** The status under which a request is counted whose client left (nginx's convention). */
const clientGone = 499;
export function installPipeline(server: FastifyInstance, deps: PipelineDeps): void {
  const turns = new FairTurns(deps.now);
  server.decorateRequest('scope', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    // A client that goes away ends the exchange without a response. The request's own events (Fastify's
    // onRequestAbort) do not tell once its body was read.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) abandon(request, deps.now());
    });
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    try {
      requirePlainTarget(request.url);
      const rule = ruleOf(request);
      if (rule.servedBy === 'server') done();
      else enter(request, reply, { rule, deps, turns, done });
    } catch (error) {
      done(asError(error));
    }
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.scope && isRefused(request.scope.credential)) challenge(reply);
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const isOfProject = request.scope !== undefined;
    leave(request, reply.statusCode, deps.now());
    if (!isOfProject) logServed(request, reply);
    closeIfUnread(request);
    done();
  });
}

/** A request without a project: a route of the server itself, or one that was refused before it had one. */
function logServed(request: FastifyRequest, reply: FastifyReply): void {
  const level = ruleOf(request).servedBy === 'server' ? 'debug' : 'info';
  const facts = { status: reply.statusCode, ms: reply.elapsedTime, requestId: request.id };
  logRequest(request, facts, level);
}

function abandon(request: FastifyRequest, now: number): void {
  request.scope?.client.leave();
  leave(request, clientGone, now);
}

type Done = (error?: Error) => void;

interface Entry {
  /** Of the matched route. */
  readonly rule: RouteRule;
  readonly deps: PipelineDeps;
}

/** Finds the project: at once when it is live, which is what nearly every request meets. */
function enter(
  request: FastifyRequest,
  reply: FastifyReply,
  { rule, deps, turns, done }: Entry & { readonly turns: FairTurns; readonly done: Done },
): void {
  requireOneHost(request.raw.rawHeaders);
  const host = hostOf(request.headers.host);
  const begin = (lease: Lease<ProjectRuntime>): void =>
    turns.enter(lease.value.record.ref, () => {
      try {
        finish(admit(request, reply, { lease, rule, deps }), done);
      } catch (error) {
        done(asError(error));
      }
    });
  const live = deps.registry.acquireLive(host);
  if (live) begin(live);
  else
    deps.registry
      .acquire(host, rule.area === 'rest' ? 'rows' : 'other')
      .then(begin)
      .catch((error: unknown) => done(asError(error)));
}

/** Whether the request goes on to its route; otherwise nothing is left to do for it. */
type Admission = 'admitted' | 'ended';

function finish(admission: Admission | Promise<Admission>, done: Done): void {
  if (!(admission instanceof Promise)) {
    if (admission === 'admitted') done();
    return;
  }
  admission.then(
    (settled) => finish(settled, done),
    (error: unknown) => done(asError(error)),
  );
}

/** Gives the request its scope; at once unless somebody else must be asked first. */
function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { lease, rule, deps }: Entry & { readonly lease: Lease<ProjectRuntime> },
): Admission | Promise<Admission> {
  const scope: RequestScope = {
    lease,
    rule,
    credential: { kind: 'none' },
    caller: undefined,
    client: new ClientGone(),
    startedAt: deps.now(),
  };
  request.scope = scope;
  if (request.raw.destroyed) {
    // The client left while the project opened, and there was no lease to give back then.
    leave(request, clientGone, deps.now());
    return 'ended';
  }
  const own = rule.cors === 'bucket' ? deps.findOwnCors(lease.value, request) : undefined;
  if (!(own instanceof Promise)) return admitPage(request, reply, { scope, own, deps });
  return own.then((found) =>
    request.scope === scope ? admitPage(request, reply, { scope, own: found, deps }) : 'ended',
  );
}

interface AdmittedPage {
  readonly scope: RequestScope;
  readonly own: CorsHeaders | undefined;
  readonly deps: PipelineDeps;
}

/** Answers preflights; any other request gets its credential. */
function admitPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { scope, own, deps }: AdmittedPage,
): Admission | Promise<Admission> {
  const { lease } = scope;
  const isTrusted = isTrustedPage(request, lease.value);
  if (applyCors(request, reply, { isTrusted, own })) return 'ended';
  const credential = proveAndSettle(request, scope, deps);
  if (!(credential instanceof Promise)) {
    scope.credential = credential;
    // The engine prolongs sessions on its own routes.
    if (credential.kind === 'session' && scope.rule.servedBy !== 'engine') {
      lease.value.sessionUses.note(credential.token);
    }
    return 'admitted';
  }
  return credential.then((settled) => {
    scope.credential = settled;
    // Whoever has left meanwhile gave the lease back.
    return request.scope === scope ? 'admitted' : 'ended';
  });
}

/** The credential, after the proof that a guarded route asks for. */
function proveAndSettle(
  request: FastifyRequest,
  { lease, rule }: RequestScope,
  deps: PipelineDeps,
): Credential | Promise<Credential> {
  const shown = credentialOf(request, { lease, rule, deps });
  const { guards, keyUses } = lease.value;
  const { captcha, thirdParty } = guards;
  // The engine counts the uses of keys on its own routes.
  const sources = { keyUses: rule.servedBy === 'engine' ? undefined : keyUses, thirdParty };
  const proof = checkCaptcha(request, captcha, rule.captcha);
  return proof
    ? proof.then(() => settleCredential(shown, sources))
    : settleCredential(shown, sources);
}

function asError(thrown: unknown): Error {
  const error = fromOutage(thrown);
  return error instanceof Error
    ? error
    : new Error('a hook threw what is not an error', { cause: error });
}

/** A signature in the query of a link, which is its proof. */
const signature = /^[^?]*\?(?:[^#]*&)?sig=/;

function isKeyNeeded({ projectKey }: RouteRule, url: string): boolean {
  return projectKey === 'needed' || (projectKey === 'unless-signed' && !signature.test(url));
}

function credentialOf(
  request: FastifyRequest,
  { lease, rule, deps }: Entry & { readonly lease: Lease<ProjectRuntime> },
) {
  const project = lease.value;
  const { headers, url } = request;
  const isOperator = headers[assertionHeader] !== undefined;
  const { apiKeyPrefix, thirdParty } = project.guards;
  return readCredential(headers, {
    ref: project.record.ref,
    keys: project.record.keys,
    areKeysEnforced: project.http.areKeysEnforced && !isOperator && isKeyNeeded(rule, url),
    assertionKey: deps.assertionKey,
    verifySigned: (value) => project.verifySignedToken(value),
    sessionCookie: () => cookieOf(request, project),
    apiKeyPrefix,
    isForeign: (token) => thirdParty?.issuerOf(token) !== undefined,
    nowSeconds: () => Math.floor(deps.now() / 1000),
  });
}

/**
 * The session cookie, unless a page of a foreign origin sent it: sibling projects are one site to a
 * browser, so SameSite alone does not keep them apart.
 */
function cookieOf(request: FastifyRequest, project: ProjectRuntime): string | undefined {
  const { cookie, origin } = request.headers;
  if (cookie === undefined) return undefined;
  if (origin !== undefined && !isTrustedPage(request, project)) return undefined;
  const value = cookieIn(cookie, project.http.sessionCookie);
  return value === undefined ? undefined : decodeCookie(value);
}

/** Whether the request comes from a page of the project's own, or of the custom domain under which it arrived. */
function isTrustedPage({ headers }: FastifyRequest, { http }: ProjectRuntime): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return false;
  return isAllowedOrigin(origin, http.trustedOrigins) || origin === http.ownOriginAt(hostOf(host));
}

function decodeCookie(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function leave(request: FastifyRequest, status: number, now: number): void {
  const { scope } = request;
  if (!scope) return;
  request.scope = undefined;
  scope.client.end();
  const ms = now - scope.startedAt;
  const { record, traffic } = scope.lease.value;
  traffic.record(scope.rule.area, status, ms);
  logRequest(request, { project: record.ref, status, ms, requestId: request.id });
  scope.lease.release();
}

/** Tells the client that its request ran as `anon` (RFC 6750 section 3.1). Any answer may (RFC 9110 section 11.6.1). */
function challenge(reply: FastifyReply): void {
  if (!reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
  }
}

// Forwards one request of an operator to a project's API: checks it, signs it, sends it and writes it to the audit log.
// Returns the project's answer as a stream.
import { completeAudit, getProject, recordAudit } from '#libs/control-plane';
import { fail } from '#libs/errors';
import { assertionLifetimeSeconds, signAssertion } from '#libs/secrets';
import type { Capability } from '#libs/wire';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ConsoleDeps } from '../http/console-deps.js';
import type { CurrentOperator } from '../http/current-operator.js';
import { canonicalPath, type ProjectPath } from './canonical-path.js';
import {
  type FindRequest,
  FORWARDED_METHODS,
  type ForwardedMethod,
  isRead,
} from './project-routes.js';
import { requestHeaders } from './forwarded-headers.js';
import { askUpstream, readJson } from './upstream.js';

/** Clocks of two machines may differ by this much. */
const clockToleranceSeconds = 5;
const settingsReadMs = 10_000;
const maxSettingsBytes = 256 * 1024;
export interface OperatorRequest {
  readonly operator: CurrentOperator;
  /** What the operator may do on the project. */
  readonly capabilities: readonly Capability[];
  readonly ref: string;
  readonly method: string;
  /** Finds the requirements of a request. */
  readonly find: FindRequest;
  /** As in the request line. */
  readonly rawUrl: string;
  readonly headers: IncomingMessage['headers'];
  /** Absent: a request without a body. */
  readonly body?: Readable | undefined;
  /** Aborts when the operator has disconnected. */
  readonly signal: AbortSignal;
}

/** The project's answer. Throws CAPABILITY_REQUIRED, INVALID_INPUT for a path with two meanings. */
export async function forward(
  deps: ConsoleDeps,
  request: OperatorRequest,
): Promise<IncomingMessage> {
  const { capabilities } = request;
  const method = forwardedMethod(request.method);
  const path = canonicalPath(request.rawUrl);
  const { capability, isOnSettingsGroup } = request.find(method, path.target);
  if (!capabilities.includes(capability)) throw fail('CAPABILITY_REQUIRED', { capability });
  const send = (): Promise<IncomingMessage> =>
    askUpstream({
      url: urlOf(deps, path.target),
      method,
      headers: signedHeaders(deps, request, request.headers),
      body: request.body,
      signal: request.signal,
    });
  if (isRead(method)) return send();
  return audited(deps, request, { path, isOnSettingsGroup, send });
}

function forwardedMethod(name: string): ForwardedMethod {
  const method = FORWARDED_METHODS.find((known) => known === name);
  if (!method) throw fail('METHOD_NOT_ALLOWED', { method: name });
  return method;
}

interface Change {
  readonly path: ProjectPath;
  /** Of a settings group. */
  readonly isOnSettingsGroup: boolean;
  readonly send: () => Promise<IncomingMessage>;
}

/**
 * Sends a change with its entry in the audit log: the entry is written first, so that no change is without one, and
 * completed with the status. A change of settings is recorded with the values before and after.
 */
async function audited(
  deps: ConsoleDeps,
  request: OperatorRequest,
  { path, isOnSettingsGroup: isSettings, send }: Change,
): Promise<IncomingMessage> {
  const { dataSource } = deps.controlPlane;
  const { organizationId } = await getProject(dataSource, request.ref);
  const before = isSettings ? await readSettings(deps, request, path) : undefined;
  const id = await recordAudit(dataSource.manager, {
    actor: request.operator,
    action: isSettings ? 'project.settings' : 'project.request',
    organizationId,
    ref: request.ref,
    target: `${request.method} /api/${path.segments.join('/')}`,
    before,
  });
  const answer = await send();
  const status = answer.statusCode ?? 0;
  await completeAudit(dataSource.manager, id, { after: { status } });
  if (isSettings && status < 300) {
    const settings = await readSettings(deps, request, path);
    await completeAudit(dataSource.manager, id, { after: { status, settings } });
  }
  return answer;
}

/** The settings of the project, without their secrets; undefined if it does not return them. */
async function readSettings(
  deps: ConsoleDeps,
  request: OperatorRequest,
  path: ProjectPath,
): Promise<unknown> {
  const answer = await askUpstream({
    url: urlOf(deps, path.target.split('?', 1)[0] ?? path.target),
    method: 'GET',
    headers: signedHeaders(deps, request, { accept: 'application/json' }),
    // The audit log is completed even if the operator has disconnected.
    signal: AbortSignal.timeout(settingsReadMs),
  });
  const content = await readJson(answer, maxSettingsBytes);
  return answer.statusCode === 200 ? content : undefined;
}

function urlOf(deps: ConsoleDeps, target: string): URL {
  return new URL(deps.apiInternalUrl.replace(/\/+$/, '') + target);
}

function signedHeaders(
  deps: ConsoleDeps,
  request: OperatorRequest,
  incoming: IncomingMessage['headers'],
): OutgoingHttpHeaders {
  const { operator, ref, capabilities } = request;
  const assertion = signAssertion(deps.assertionKey, {
    ref,
    operatorId: operator.operatorId,
    email: operator.email,
    capabilities,
    expiresAt: Math.floor(Date.now() / 1000) + assertionLifetimeSeconds - clockToleranceSeconds,
  });
  return requestHeaders(incoming, {
    host: `${ref}.${deps.rootDomain}`,
    assertion,
    clientIp: operator.ip,
    requestId: operator.requestId,
  });
}

// Forwards one request of an operator to a project's API: checks it, signs it, sends it and writes it to the audit log.
// Returns the project's answer as a stream.
import { completeAudit, getProject, recordAudit } from '#libs/control-plane';
import { fail } from '#libs/errors';
import { assertionLifetimeSeconds, signAssertion } from '#libs/secrets';
import { type Capability, continuesHeader, cutValues, isRecord, settingsPath } from '#libs/wire';
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
const impersonationHeader = 'x-service-impersonate';
const userIdPattern = /^[\x21-\x7e]{1,64}$/;
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
  const { capability, settingsGroup, mayContinue } = request.find(method, path.target);
  if (!capabilities.includes(capability)) throw fail('CAPABILITY_REQUIRED', { capability });
  const actsAs = actsAsOf(request, path);
  const send = (): Promise<IncomingMessage> =>
    askUpstream({
      url: urlOf(deps, path.target),
      method,
      headers: {
        ...signedHeaders(deps, request, request.headers),
        ...(actsAs !== undefined && { [impersonationHeader]: actsAs }),
      },
      body: request.body,
      signal: request.signal,
    });
  if (isRead(method) && actsAs === undefined) return send();
  if (mayContinue) return auditedOnce(deps, request, { path, send });
  return audited(deps, request, { path, settingsGroup, actsAs, send });
}

/**
 * The user or visitor whose rights a request on tables has, so that policies can be tried; undefined: those of the
 * operator. Throws CAPABILITY_REQUIRED, IMPERSONATION_REFUSED for another route, INVALID_INPUT.
 */
function actsAsOf(
  { headers, capabilities }: OperatorRequest,
  { segments }: ProjectPath,
): string | undefined {
  const actsAs = headers[impersonationHeader];
  if (actsAs === undefined) return undefined;
  if (segments[0] !== 'rest') throw fail('IMPERSONATION_REFUSED');
  const capability = 'secrets.manage';
  if (!capabilities.includes(capability)) throw fail('CAPABILITY_REQUIRED', { capability });
  if (typeof actsAs === 'string' && userIdPattern.test(actsAs)) return actsAs;
  throw fail('INVALID_INPUT', { field: impersonationHeader, reason: 'give a user id or anon' });
}

function forwardedMethod(name: string): ForwardedMethod {
  const method = FORWARDED_METHODS.find((known) => known === name);
  if (!method) throw fail('METHOD_NOT_ALLOWED', { method: name });
  return method;
}

interface Change {
  readonly path: ProjectPath;
  /** The name of the settings group that is changed. */
  readonly settingsGroup: string | undefined;
  /** The user or visitor whose rights the request has. */
  readonly actsAs: string | undefined;
  readonly send: () => Promise<IncomingMessage>;
}

/**
 * Sends a request with its entry in the audit log: the entry is written first, so that no change is without one, and
 * completed with the status. A change of settings is recorded with the values before and after, and each request as a
 * user or a visitor with their name, also when it only reads.
 */
async function audited(
  deps: ConsoleDeps,
  request: OperatorRequest,
  { path, settingsGroup, actsAs, send }: Change,
): Promise<IncomingMessage> {
  const { dataSource } = deps.controlPlane;
  const { organizationId } = await getProject(dataSource, request.ref);
  const settingsNow = () =>
    settingsGroup === undefined ? undefined : readSettings(deps, request, settingsGroup);
  const isSettings = settingsGroup !== undefined;
  const before = await settingsNow();
  const id = await recordAudit(dataSource.manager, {
    actor: request.operator,
    action: actionOf({ isSettings, isActing: actsAs !== undefined }),
    organizationId,
    ref: request.ref,
    target: targetOf(request, path) + asWhom(actsAs),
    before,
  });
  const answer = await send();
  const status = answer.statusCode ?? 0;
  await completeAudit(dataSource.manager, id, { after: { status } });
  if (isSettings && status < 300) {
    await completeAudit(dataSource.manager, id, {
      after: { status, settings: await settingsNow() },
    });
  }
  return answer;
}

/**
 * Sends a request that may continue an earlier one, and writes its entry if the answer does not say so. Nothing of an
 * answer is passed on before its entry is written. The project has an entry of its own, written before it answers.
 */
async function auditedOnce(
  deps: ConsoleDeps,
  request: OperatorRequest,
  { path, send }: Pick<Change, 'path' | 'send'>,
): Promise<IncomingMessage> {
  const { dataSource } = deps.controlPlane;
  const { ref, operator: actor } = request;
  const { organizationId } = await getProject(dataSource, ref);
  const answer = await send();
  if (answer.headers[continuesHeader] === 'true') return answer;
  const [target, status] = [targetOf(request, path), answer.statusCode ?? 0];
  const entry = { actor, action: 'project.request', organizationId, ref, target };
  try {
    await recordAudit(dataSource.manager, { ...entry, after: { status } });
  } catch (error) {
    answer.destroy();
    throw error;
  }
  return answer;
}

const targetOf = ({ method }: OperatorRequest, { segments }: ProjectPath): string =>
  `${method} /api/${segments.join('/')}`;

function actionOf({
  isSettings,
  isActing,
}: {
  readonly isSettings: boolean;
  readonly isActing: boolean;
}): string {
  if (isActing) return 'project.impersonate';
  return isSettings ? 'project.settings' : 'project.request';
}

const asWhom = (actsAs: string | undefined): string =>
  actsAs === undefined ? '' : ` as ${actsAs}`;

/** The settings of a group for the log, without their secrets; undefined if the project does not return them. */
async function readSettings(
  deps: ConsoleDeps,
  request: OperatorRequest,
  group: string,
): Promise<unknown> {
  const answer = await askUpstream({
    url: urlOf(deps, `${settingsPath}/${encodeURIComponent(group)}`),
    method: 'GET',
    headers: signedHeaders(deps, request, { accept: 'application/json' }),
    // The audit log is completed even if the operator has disconnected.
    signal: AbortSignal.timeout(settingsReadMs),
  });
  const content = await readJson(answer, maxSettingsBytes);
  return answer.statusCode === 200 && isRecord(content) ? cutValues(content) : undefined;
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

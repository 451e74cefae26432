// The studio that a project serves itself: its administrators sign in by the engine's own routes, and no one
// else gets a session there.
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { adminStanding, type Caller } from '#libs/wire';

import { checkCaptcha } from '../http/captcha.js';
import type { RequestScope } from '../http/request-scope.js';
import { callEngine, type EngineCall, sameInEngine } from './call-engine.js';
import { deleteSessionOf, findStudioSession, type StudioSession } from './studio.sql.js';

/**
 * Signs in for the studio, with the engine's answer: a session, the challenge of a second factor or a
 * refusal. Throws ADMIN_REQUIRED, and ends the session, when it is not an administrator's; and what the
 * CAPTCHA throws.
 */
export async function signInToStudio(
  scope: RequestScope,
  request: FastifyRequest,
): Promise<Response> {
  const path = '/api/auth/sign-in/email';
  // Rules that name the engine's path hold here, too.
  const { captcha } = scope.lease.value.guards;
  await checkCaptcha(request, captcha, 'sign-in-password', path);
  return forAdministrators(scope, request, { method: 'POST', path, body: request.body ?? {} });
}

/** Completes a sign-in, or confirms a new second factor. Throws like {@link signInToStudio}. */
export async function verifyForStudio(
  scope: RequestScope,
  request: FastifyRequest,
): Promise<Response> {
  if (scope.credential.kind === 'session') await requireAdministrator(scope);
  const path = sameInEngine(request);
  return forAdministrators(scope, request, { method: 'POST', path, body: request.body ?? {} });
}

/** Who administers: `session` and `user` are there for an administrator who is signed in. */
export interface AdminSession {
  readonly via: Caller['via'];
  readonly session: Omit<StudioSession, 'user'> | null;
  readonly user: StudioSession['user'] | null;
  readonly operator: { readonly id: string; readonly email: string } | null;
}

/** The session of the administrator who calls. */
export async function readAdminSession(
  project: ProjectRuntime,
  caller: Caller,
): Promise<AdminSession> {
  const { via } = caller;
  if (caller.via === 'operator') {
    const { operatorId: id, email } = caller.operator;
    return { via, session: null, user: null, operator: { id, email } };
  }
  const sessionId = caller.role === 'authenticated' ? caller.user.sessionId : undefined;
  if (sessionId === undefined) return { via, session: null, user: null, operator: null };
  const found = await project.db.runAsEngine((tx) => findStudioSession(tx, sessionId));
  if (!found) throw fail('UNAUTHORIZED');
  const { user, ...session } = found;
  return { via, session, user, operator: null };
}

async function forAdministrators(
  scope: RequestScope,
  request: FastifyRequest,
  call: EngineCall,
): Promise<Response> {
  const response = await callEngine(scope, request, call);
  if (!response.ok) return response;
  const answer: unknown = await response.clone().json();
  const token = field(answer, 'token');
  if (typeof token !== 'string' || field(field(answer, 'user'), 'role') === 'ADMIN') {
    return response;
  }
  await scope.lease.value.db.runAsEngine((tx) => deleteSessionOf(tx, token));
  throw fail('ADMIN_REQUIRED');
}

async function requireAdministrator({ lease, credential }: RequestScope): Promise<void> {
  const project = lease.value;
  const { caller } = await project.db.resolveCaller(credential);
  // The code that is in this request may be the second factor that the session still lacks.
  const isUser = caller.role !== 'anon' && adminStanding(caller, project.guards) === 'no-admin';
  if (isUser) throw fail('ADMIN_REQUIRED');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

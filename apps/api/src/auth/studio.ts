// The studio that a project serves itself: its administrators sign in by the engine's own routes, and no one
// else gets a session there.
import type { FastifyRequest } from 'fastify';

import { calledRoutes } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import type { ProjectRecord, ProjectRuntime } from '#libs/project-runtime';
import { adminStanding, type Caller, CAPABILITIES, type Capability, isRecord } from '#libs/wire';

import { checkCaptcha } from '../http/captcha.js';
import type { RequestScope } from '../http/request-scope.js';
import { forwardToEngine, sameInEngine } from './call-engine.js';
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
  const { path, captcha: captchaClass } = calledRoutes.signInWithPassword;
  // Rules that name the engine's path hold here, too.
  const { captcha } = scope.lease.value.guards;
  await checkCaptcha(request, captcha, captchaClass, path);
  return forAdministrators(scope, request, path);
}

/** Completes a sign-in, or confirms a new second factor. Throws like {@link signInToStudio}. */
export async function verifyForStudio(
  scope: RequestScope,
  request: FastifyRequest,
): Promise<Response> {
  if (scope.credential.kind === 'session') await requireAdministrator(scope);
  return forAdministrators(scope, request, sameInEngine(request));
}

/** Who administers what: `session` and `user` are there for an administrator who is signed in. */
export interface AdminSession {
  readonly via: Caller['via'];
  readonly session: Omit<StudioSession, 'user'> | null;
  readonly user: StudioSession['user'] | null;
  readonly operator: { readonly id: string; readonly email: string } | null;
  readonly project: Pick<ProjectRecord, 'ref' | 'name' | 'idType'>;
  /** The capabilities whose routes of the project answer to the caller. */
  readonly capabilities: readonly Capability[];
}

/** What is done in the control plane, which the routes of a project do not reach. */
const ofPlatform: ReadonlySet<Capability> = new Set([
  'projects.manage',
  'members.manage',
  'imports.run',
]);
const ofProject = CAPABILITIES.filter((capability) => !ofPlatform.has(capability));

/** The session of the administrator who calls. */
export async function readAdminSession(
  { db, record }: ProjectRuntime,
  caller: Caller,
): Promise<AdminSession> {
  const { ref, name, idType } = record;
  const common = { via: caller.via, project: { ref, name, idType } };
  const noUser = { session: null, user: null, operator: null };
  if (caller.via === 'operator') {
    const { operatorId: id, email, capabilities } = caller.operator;
    return { ...common, ...noUser, operator: { id, email }, capabilities };
  }
  const sessionId = caller.role === 'authenticated' ? caller.user.sessionId : undefined;
  if (sessionId === undefined) return { ...common, ...noUser, capabilities: ofProject };
  const found = await db.runAsEngine((tx) => findStudioSession(tx, sessionId));
  if (!found) throw fail('UNAUTHORIZED');
  const { user, ...session } = found;
  return { ...common, session, user, operator: null, capabilities: ofProject };
}

async function forAdministrators(
  scope: RequestScope,
  request: FastifyRequest,
  path: string,
): Promise<Response> {
  const response = await forwardToEngine(scope, request, { path });
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
  return isRecord(value) ? value[name] : undefined;
}

// Administrators read and change rows and files without policies, as operators do at the console. Their own session has
// the rights of their account, so a request says with a header that it wants more.
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { appendAudit, auditActor } from '#libs/project-runtime';
import type { Credential } from '#libs/wire';

import { requireAccess } from '../access.guard.js';
import type { RequestScope } from '../request-scope.js';
import type { ProjectStep } from './project-hook.js';

/** `service_role`; or `anon` or the id of a user, which show what policies permit, on reads of rows alone. */
const actAsHeader = 'x-act-as';
const maxUserIdLength = 64;

/** What a route of administration asks of a caller who has a session. */
const administration = { kind: 'admin', capability: 'content.read' } as const;

/**
 * Lets the session of an administrator run a request as the header says. Every change and every read as another caller
 * is in the audit log before it runs. Throws UNAUTHORIZED, ADMIN_REQUIRED, AAL2_REQUIRED, INVALID_INPUT.
 */
export const actAs: ProjectStep = (request, _reply, scope) => {
  const given = request.headers[actAsHeader];
  if (given === undefined || !isAboutContent(scope)) return undefined;
  const role = Array.isArray(given) ? given[0] : given;
  return raise(request, scope, role ?? '');
};

/** Rows, files and functions; routes of administration and accounts keep the caller. */
function isAboutContent({ rule: { access, area, servedBy } }: RequestScope): boolean {
  const isOpen = access.kind === 'public' || access.kind === 'known';
  return isOpen && servedBy === 'project' && area !== 'admin' && area !== 'auth';
}

async function raise(request: FastifyRequest, scope: RequestScope, role: string): Promise<void> {
  const { lease, rule, credential } = scope;
  const project = lease.value;
  // Keys state their rights by themselves; a header must not add to them.
  if (credential.kind !== 'session' && credential.kind !== 'none') throw fail('ADMIN_REQUIRED');
  const { caller } = await project.db.resolveCaller(credential);
  requireAccess(administration, caller, project.guards);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const raised = credentialFor(role);
  if (!raised) throw unknownRole('give service_role, anon or the id of a user');
  const isForOther = raised.kind !== 'secret-key';
  if (isForOther && !(isRead && rule.area === 'rest')) {
    throw unknownRole('only reads of rows run as another caller');
  }
  if (isForOther || !isRead) {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    const target = `${request.method} ${request.url.split('?', 1)[0] ?? ''}`;
    await project.db.runAsEngine((tx) =>
      appendAudit(tx, { actor, action: 'request.act-as', target, before: null, after: { role } }),
    );
  }
  scope.credential = raised;
}

function credentialFor(role: string): Credential | undefined {
  if (role === 'service_role') return { kind: 'secret-key' };
  if (role === 'anon') return { kind: 'impersonated-anon' };
  if (role === '' || role.length > maxUserIdLength) return undefined;
  return { kind: 'impersonated-user', userId: role };
}

const unknownRole = (reason: string) => fail('INVALID_INPUT', { field: actAsHeader, reason });

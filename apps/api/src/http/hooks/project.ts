import type { FastifyRequest, onRequestHookHandler } from 'fastify';

import type { Lease, ProjectRegistry, ProjectRuntime } from '#libs/project-runtime';
import { FairTurns } from '#libs/steps';
import type { BodyBudget } from '#libs/web';

import { ruleOf } from '../access.js';
import { ClientGone } from '../client-gone.js';
import { hostOf, requireOneHost } from '../host.js';
import { endDisconnected } from './begin-and-end.js';
import { asError } from './project-hook.js';

/**
 * Finds the project of the host name and gives the request its scope when it is the project's turn. A live project is
 * found synchronously, which covers nearly every request. Routes of the server have no project. Answers
 * PROJECT_NOT_FOUND, PROJECT_PAUSED and the errors of opening a project.
 */
export function findProject(
  registry: ProjectRegistry<ProjectRuntime>,
  { bodies, now }: { readonly bodies: BodyBudget; readonly now: () => number },
): onRequestHookHandler {
  const turns = new FairTurns<string>(now);
  return (request, _reply, done) => {
    const { servedBy, area } = ruleOf(request);
    if (servedBy === 'server') {
      done();
      return;
    }
    const begin = (lease: Lease<ProjectRuntime>): void =>
      turns.schedule(lease.value.record.ref, () => {
        openScope(request, lease, bodies, now());
        // The client may have disconnected while the project opened; then there was no lease to release.
        if (request.raw.destroyed) endDisconnected(request, now());
        else done();
      });
    let found: Lease<ProjectRuntime> | Promise<Lease<ProjectRuntime>>;
    try {
      requireOneHost(request.raw.rawHeaders);
      const host = hostOf(request.headers.host);
      found =
        registry.acquireLive(host) ?? registry.acquire(host, area === 'rest' ? 'rows' : 'other');
    } catch (error) {
      done(asError(error));
      return;
    }
    if (found instanceof Promise) found.then(begin, (error: unknown) => done(asError(error)));
    else begin(found);
  };
}

function openScope(
  request: FastifyRequest,
  lease: Lease<ProjectRuntime>,
  bodies: BodyBudget,
  startedAt: number,
): void {
  request.scope = {
    lease,
    rule: ruleOf(request),
    bodies,
    heldBody: undefined,
    isOfOperator: false,
    shown: { kind: 'none' },
    credential: { kind: 'none' },
    caller: undefined,
    client: new ClientGone(),
    startedAt,
  };
}

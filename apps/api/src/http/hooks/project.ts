import type { FastifyRequest, onRequestHookHandler } from 'fastify';

import type { Lease, ProjectRegistry, ProjectRuntime } from '#libs/project-runtime';

import { ruleOf } from '../access.js';
import { ClientGone } from '../client-gone.js';
import { FairTurns } from '../fair-turns.js';
import { hostOf, requireOneHost } from '../host.js';
import { abandon } from './begin-and-end.js';
import { asError } from './project-hook.js';

/**
 * Leads from the host name to the project and gives the request its scope, when it is the project's turn. A project
 * that is live is found at once, which is what nearly every request meets. Routes of the server have no project.
 * Answers PROJECT_NOT_FOUND, PROJECT_PAUSED and what else opening a project may throw.
 */
export function findProject(
  registry: ProjectRegistry<ProjectRuntime>,
  now: () => number,
): onRequestHookHandler {
  const turns = new FairTurns(now);
  return (request, _reply, done) => {
    const { servedBy, area } = ruleOf(request);
    if (servedBy === 'server') {
      done();
      return;
    }
    const enter = (lease: Lease<ProjectRuntime>): void =>
      turns.enter(lease.value.record.ref, () => {
        openScope(request, lease, now);
        // The client may have left while the project opened, and there was no lease to give back then.
        if (request.raw.destroyed) abandon(request, now());
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
    if (found instanceof Promise) found.then(enter, (error: unknown) => done(asError(error)));
    else enter(found);
  };
}

function openScope(request: FastifyRequest, lease: Lease<ProjectRuntime>, now: () => number): void {
  request.scope = {
    lease,
    rule: ruleOf(request),
    shown: { kind: 'none' },
    credential: { kind: 'none' },
    caller: undefined,
    client: new ClientGone(),
    startedAt: now(),
  };
}

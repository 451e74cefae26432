// The hooks of every request, in order. Guard, controller and reply follow.
import type { FastifyInstance } from 'fastify';

import type { ProjectRegistry, ProjectRuntime } from '#libs/project-runtime';
import type { BodyBudget } from '#libs/web';

import { actAs } from './hooks/act-as.js';
import { begin, completeAnswer, end } from './hooks/begin-and-end.js';
import { requireCaptcha } from './hooks/captcha.js';
import { answerCors, type FindOwnCors } from './hooks/cors.js';
import { readShownCredential, settleShownCredential } from './hooks/credential.js';
import { findProject } from './hooks/project.js';
import { projectHook } from './hooks/project-hook.js';
import { recordSessionUse } from './hooks/session.js';

/** Dependencies of the hooks. */
export interface PipelineDeps {
  readonly registry: ProjectRegistry<ProjectRuntime>;
  /** The key that the console signs operator assertions with. */
  readonly assertionKey: Buffer;
  readonly now: () => number;
  /** Counts long bodies. */
  readonly bodies: BodyBudget;
  readonly findOwnCors: FindOwnCors;
}

export function installPipeline(server: FastifyInstance, deps: PipelineDeps): void {
  server.decorateRequest('scope', undefined);
  server.addHook('onRequest', begin(deps.now));
  server.addHook('onRequest', findProject(deps.registry, deps));
  server.addHook('onRequest', projectHook(answerCors(deps.findOwnCors)));
  server.addHook('onRequest', projectHook(readShownCredential(deps.assertionKey, deps.now)));
  server.addHook('onRequest', projectHook(requireCaptcha));
  server.addHook('onRequest', projectHook(settleShownCredential));
  server.addHook('onRequest', projectHook(recordSessionUse));
  server.addHook('onRequest', projectHook(actAs));
  server.addHook('onSend', completeAnswer);
  server.addHook('onResponse', end(deps.now));
}

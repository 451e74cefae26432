import { streamedBody } from '#libs/web';
import type { Capability } from '#libs/wire';
import { All, Controller, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator, ProjectCapabilities } from '../http/current-operator.js';
import { projectApiPath } from '../http/project-api-path.js';
import { forward } from './forward.js';
import { answerHeaders } from './forwarded-headers.js';
import { bodyOf, signalOf } from './incoming.js';
import { type FindRequest, requestFinder } from './project-routes.js';

/** Only the minimum: the capability of the project's route is looked up for each request. */
const mayRead = { kind: 'capability', capability: 'content.read', scope: 'project' } as const;

@Controller(projectApiPath)
export class ProxyController {
  private readonly find: FindRequest;

  constructor(private readonly deps: ConsoleDeps) {
    this.find = requestFinder(deps.projectRoutes);
  }

  @All('*')
  @ApiExcludeEndpoint()
  @Access(mayRead, { body: streamedBody })
  async forward(
    @CurrentOperator() operator: CurrentOperator,
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Param('ref') ref: string,
    @Req() { raw, method, headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [signal, body] = [signalOf(reply), bodyOf(raw)];
    const rawUrl = raw.url ?? '';
    const { find } = this;
    const request = { operator, capabilities, ref, method, find, rawUrl, headers, body, signal };
    const answer = await forward(this.deps, request);
    await reply
      .code(answer.statusCode ?? 502)
      .headers(answerHeaders(answer.headers))
      .send(answer);
  }
}

import 'reflect-metadata';

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { NestFactory } from '@nestjs/core';
import { type FastifyBaseLogger, LogController } from 'fastify';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

import {
  answerBroken,
  BodyBudget,
  clientNetworks,
  connectionTimeouts,
  inputValidation,
  keepMatchedRoutes,
  limitConnections,
  limitPipelining,
  recordMethods,
} from '#libs/web';

import { AppModule } from './app.module.js';
import { AccessGuard } from './http/access.guard.js';
import type { ApiDeps } from './http/api-deps.js';
import { readApiBodies } from './http/content.js';
import { answerError, ErrorFilter } from './http/error.filter.js';
import { pathOfTarget } from './http/host.js';
import { installPipeline } from './http/pipeline.js';
import { recordRoutes } from './http/route-table.js';
import { serveDocs } from './docs.js';
import { serveSockets } from './realtime/socket-server.js';
import { answerForBucket } from './storage/buckets/bucket-cors.js';

const maxParamLength = 512;
/** Of the request line and all headers: more than the longest URL of a table request. */
const maxHeaderSize = 32 * 1024;
const keepAliveMs = 72_000;
const requestIdPattern = /^[\w.-]{1,64}$/;

/**
 * Builds the data plane: every project of the deployment behind one listener. It does not listen yet.
 * Throws when a route states no access rule.
 */
export async function createApiApp(deps: ApiDeps): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(deps),
    buildAdapter(deps),
    { abortOnError: false, bodyParser: false, logger: false },
  );
  const server = app.getHttpAdapter().getInstance();
  recordRoutes(server);
  recordMethods(server);
  keepMatchedRoutes(server);
  deps.loopWatch?.observe(server);
  deps.readerWatch?.observe(server);
  readApiBodies(server);
  limitConnections(server.server, deps.trustProxy);
  limitPipelining(server.server);
  deps.drain?.observe(server.server);
  // Long bodies have as much memory again as large replies.
  const bodies = new BodyBudget(deps.replies.limits.memoryBytes);
  installPipeline(server, { ...deps, bodies, findOwnCors: answerForBucket });
  app.useGlobalGuards(new AccessGuard());
  app.useGlobalFilters(new ErrorFilter(deps.pages));
  app.useGlobalPipes(inputValidation());
  serveDocs(app);
  await app.init();
  serveSockets(server.server, { ...deps, networkOf: clientNetworks(deps.trustProxy) });
  return app;
}

function buildAdapter(deps: ApiDeps): FastifyAdapter {
  const nextId = requestIds();
  return new FastifyAdapter({
    loggerInstance: deps.log.child({ app: 'api' }),
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: answerError,
    clientErrorHandler: answerBroken(nextId),
    trustProxy: deps.trustProxy.length > 0 ? [...deps.trustProxy] : false,
    http: { maxHeaderSize, ...connectionTimeouts },
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength, ignoreTrailingSlash: true },
    rewriteUrl: (request: IncomingMessage) =>
      pathOfTarget(request.url ?? '/', request.headers.host),
    // A proxy in front may have set an id already; it is only logged and echoed.
    genReqId: (request: IncomingMessage) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && requestIdPattern.test(given) ? given : nextId();
    },
    // Log lines name their request themselves; a logger per request would cost more than most requests.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
  });
}

/** Ids that no other request of the deployment has: a random start per process and a number. */
function requestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${start}-${(count += 1).toString(36)}`;
}

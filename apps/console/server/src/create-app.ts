import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController } from 'fastify';
import { randomUUID } from 'node:crypto';
import {
  answerBroken,
  connectionTimeouts,
  keepMatchedRoutes,
  limitConnections,
  limitPipelining,
  readBodies,
  recordMethods,
} from '#libs/web';
import { AppModule } from './app.module.js';
import { ruleOf } from './http/access.js';
import type { ConsoleDeps } from './http/console-deps.js';
import { answerError } from './http/error.filter.js';
import { installHooks } from './http/hooks.js';
import { recordRoutes } from './http/route-table.js';
import { serveDocs } from './swagger.js';

/** Builds the console. The caller listens and closes; `deps.controlPlane` stays the caller's. */
export async function createConsoleApp(deps: ConsoleDeps): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: deps.log.child({ app: 'console' }),
    logController: new LogController({
      disableRequestLogging: true,
      // The logger of a request adds this to each of its lines, so no line repeats it.
      requestIdLogLabel: 'requestId',
    }),
    trustProxy: deps.trustProxy.length > 0 ? [...deps.trustProxy] : false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    frameworkErrors: answerError,
    clientErrorHandler: answerBroken(randomUUID),
    http: connectionTimeouts,
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(deps), adapter, {
    abortOnError: false,
    bodyParser: false,
    logger: false,
  });
  const server = app.getHttpAdapter().getInstance();
  recordRoutes(server);
  recordMethods(server);
  keepMatchedRoutes(server);
  deps.loopWatch?.observe(server);
  deps.readerWatch?.observe(server);
  limitConnections(server.server, deps.trustProxy);
  limitPipelining(server.server);
  deps.drain?.observe(server.server);
  installHooks(server);
  readBodies(server, { ruleOf: (request) => ruleOf(request).body });
  serveDocs(app);
  await app.init();
  return app;
}

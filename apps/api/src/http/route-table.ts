// Every route that the application answers, with its rule. What the server registers is the truth here: a route
// that is added past the controllers without a rule stops the start.
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

import { routeRule, type RouteRule } from './access.js';

/** One method of one path. */
export interface ApiRoute extends RouteRule {
  /** `GET`, `POST`, … */
  readonly method: string;
  /** With its parameters: `/rest/v1/:table`; `*` at the end matches any rest. */
  readonly path: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    apiRoutes: ApiRoute[];
  }
}

/** Where the documentation is served. */
export const docsPath = 'api/docs';
/** Pages of the documentation: Swagger registers them without a controller. */
const documentation = new RegExp(`^/${docsPath}(?:/|$)`);
const ofDocumentation = routeRule({ kind: 'public' }, { projectKey: 'unneeded' });

/** Records the routes that are registered from now on. Registering a route without a rule throws. */
export function recordRoutes(server: FastifyInstance): void {
  const routes: ApiRoute[] = [];
  server.decorate('apiRoutes', routes);
  server.addHook('onRoute', (route) => {
    const { url: path } = route;
    const rule = route.config?.rule ?? (documentation.test(path) ? ofDocumentation : undefined);
    if (!rule)
      throw new Error(`The route ${String(route.method)} ${path} states no access rule (@Access)`);
    route.config = { ...route.config, rule };
    for (const method of [route.method].flat()) routes.push({ method, path, ...rule });
  });
}

/** Every route of an application that is initialized; those of the auth engine one by one. */
export function listRoutes(app: NestFastifyApplication): readonly ApiRoute[] {
  return app.getHttpAdapter().getInstance().apiRoutes;
}

// Every route of the console, with its rule, as the server has registered it.
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { routeRule, type RouteRule } from './access.js';

/** One method of one path. */
export interface ConsoleRoute extends RouteRule {
  /** `GET`, `POST`, … */
  readonly method: string;
  /** With its parameters: `/platform/projects/:ref`. */
  readonly path: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    consoleRoutes: ConsoleRoute[];
  }
}

/** Pages of the documentation: Swagger registers them without a controller. */
const documentation = /^\/docs(?:\/|$|-)/;
const ofDocumentation = routeRule({ kind: 'public' });

/** Whether strangers could send bodies to the route as often as they like. */
const isUncounted = (method: string, { access, body, visitsPerMinute }: RouteRule): boolean =>
  access.kind === 'public' &&
  body.kind !== 'none' &&
  visitsPerMinute === undefined &&
  !['GET', 'HEAD', 'OPTIONS'].includes(method);

/**
 * Records the routes that are registered from now on. Throws at a route without a rule, and at a public route that takes
 * a body and has no limit of requests.
 */
export function recordRoutes(server: FastifyInstance): void {
  const routes: ConsoleRoute[] = [];
  server.decorate('consoleRoutes', routes);
  server.addHook('onRoute', (route) => {
    const { url: path } = route;
    const own = route.config?.consoleRule;
    const rule = own ?? (documentation.test(path) ? ofDocumentation : undefined);
    if (!rule)
      throw new Error(`The route ${String(route.method)} ${path} states no access rule (@Access)`);
    route.config = { ...route.config, consoleRule: rule };
    if (!own) return;
    for (const method of [route.method].flat()) {
      if (isUncounted(method, rule))
        throw new Error(
          `The route ${method} ${path} is public and counts no requests (visitsPerMinute)`,
        );
      routes.push({ method, path, ...rule });
    }
  });
}

/** Every route of an application that is initialized, without the pages of the documentation. */
export function listRoutes(app: NestFastifyApplication): readonly ConsoleRoute[] {
  return app.getHttpAdapter().getInstance().consoleRoutes;
}

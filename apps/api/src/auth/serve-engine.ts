// The routes of the auth engine (spec: Auth engine routes). Each is a route of the server with its own rule, so
// that the hooks know of it what they know of every other.
import type { FastifyInstance } from 'fastify';

import { listAuthRoutes } from '#libs/auth-engine';

import { routeRule } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { forwardToEngine, relay } from './call-engine.js';

type AuthRoute = ReturnType<typeof listAuthRoutes>[number];

/** Registers all routes that an engine may have. An engine refuses those that its settings turn off. */
export function serveEngine(server: FastifyInstance): void {
  for (const route of listAuthRoutes()) {
    server.route({
      method: route.method,
      url: route.path,
      exposeHeadRoute: false,
      config: { rule: ruleOfAuthRoute(route) },
      handler: async (request, reply) => {
        await relay(await forwardToEngine(scopeOf(request), request), reply);
        return reply;
      },
    });
  }
}

/** The rule of a route of the engine, for each of its requests. */
export function ruleOfAuthRoute({ maxBodyBytes, isKeyless, captcha }: AuthRoute) {
  return routeRule(
    { kind: 'public' },
    {
      // The engine counts a request before it reads the body.
      body: { kind: 'bytes', maxBytes: maxBodyBytes },
      servedBy: 'engine',
      projectKey: isKeyless ? 'unneeded' : 'needed',
      area: 'auth',
      ...(captcha && { captcha }),
    },
  );
}

import type { FastifyContextConfig, FastifyInstance } from 'fastify';

/** What the server knows of the matched route; `url` is its pattern, undefined if no route matches. */
export type MatchedRoute = FastifyContextConfig & { readonly url?: string };

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Set once for each request: the getter of Fastify creates an object at every use. Undefined if a request fails
     * before the hooks.
     */
    matched: MatchedRoute | undefined;
    /** The code of the error with which the request was answered. */
    errorCode: string | undefined;
  }
}

/** Must be called before other hooks are added: they read `request.matched`. */
export function keepMatchedRoutes(server: FastifyInstance): void {
  server.decorateRequest('matched', undefined);
  server.decorateRequest('errorCode', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    request.matched = request.routeOptions.config;
    done();
  });
}

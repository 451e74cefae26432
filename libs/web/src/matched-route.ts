import type { FastifyContextConfig, FastifyInstance } from 'fastify';

/** What the server knows of the route that a request matches; `url` is its pattern, undefined when none matches. */
export type MatchedRoute = FastifyContextConfig & { readonly url?: string };

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Read once for each request: the getter of Fastify makes an object at every use. Undefined where a request
     * fails before the hooks.
     */
    matched: MatchedRoute | undefined;
    /** The code of the error that the request was answered with. */
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

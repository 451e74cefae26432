// The methods of a path. Looked up only for requests that match no route, so other requests pay nothing.
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods of the routes that match a path, without the WebDAV methods. */
    methodsAt(path: string): readonly string[];
  }
}

const common = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Records the routes that are registered from now on. */
export function recordMethods(server: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>();
  const patterns = new Map<string, RegExp>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByPath.set(url, methods);
    if (!patterns.has(url)) patterns.set(url, patternOf(url));
  });
  server.decorate('methodsAt', (path: string) => {
    const matching = [...patterns].filter(([, pattern]) => pattern.test(path));
    const methods = new Set(matching.flatMap(([url]) => [...(methodsByPath.get(url) ?? [])]));
    return common.filter((method) => methods.has(method));
  });
}

/** `:name` matches one segment of a path, `*` any rest; a trailing slash makes no difference. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source.replace(/\/$/, '')}/?$`);
}

// The capability that an operator needs for a request to a project's API through the console: the declaration of the
// route that the API would match. The project checks again; this check limits operators to what the console would show.
import { capabilityOfGroup } from '#libs/settings';
import type { Capability, ProjectRoute } from '#libs/wire';
import createRouter from 'find-my-way';

/** Longer than any name that the API takes. */
const maxParamLength = 4_096;

/** The requirements of a request, known before it is forwarded. */
export interface ProjectRequest {
  /** Needed beyond `content.read`, which the proxy always needs. */
  readonly capability: Capability;
  /** The name of the settings group that it reads or changes; undefined for other requests. */
  readonly settingsGroup: string | undefined;
  /** Whether its answer may say that it continues an earlier request. */
  readonly mayContinue: boolean;
}

/** By method and target: `/api/admin/users?limit=1`. */
export type FindRequest = (method: ForwardedMethod, target: string) => ProjectRequest;

export const FORWARDED_METHODS = [
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
] as const;
export type ForwardedMethod = (typeof FORWARDED_METHODS)[number];

/** For routes that the console does not know: a newer API may have them. */
const strictest: Capability = 'secrets.manage';
const reads: ReadonlySet<ForwardedMethod> = new Set(['GET', 'HEAD', 'OPTIONS'] as const);
/** The proxy forwards to these only. */
const base = '/api/';

/** Whether a request with this method changes nothing. */
export function isRead(method: ForwardedMethod): boolean {
  return reads.has(method);
}

/** Finds the requirements of requests, with the same router as the API. */
export function requestFinder(routes: readonly ProjectRoute[]): FindRequest {
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength });
  for (const route of routes) {
    const { method, path } = route;
    if (!path.startsWith(base)) continue;
    const methods = FORWARDED_METHODS.filter((known) => method === 'ALL' || method === known);
    if (methods.length > 0) router.on(methods, path, unused, route);
  }
  return (method, target) => {
    const [path = ''] = target.split('?', 1);
    // The API answers HEAD wherever it answers GET.
    const found =
      router.find(method, path) ?? router.find(method === 'HEAD' ? 'GET' : method, path);
    if (!found) return { capability: strictest, settingsGroup: undefined, mayContinue: false };
    const { needs, mayContinue }: ProjectRoute = found.store;
    if (needs === 'by group') {
      const group = found.params['group'] ?? '';
      return { capability: capabilityOfGroup(group), settingsGroup: group, mayContinue };
    }
    if (needs !== 'by method') return { capability: needs, settingsGroup: undefined, mayContinue };
    const capability = isRead(method) ? 'content.read' : 'content.write';
    return { capability, settingsGroup: undefined, mayContinue };
  };
}

/** The router calls no handlers here: it is only used to match. */
const unused = (): void => undefined;

// Which routes of the auth engine are served. What no part names does not exist: the engine mounts more than
// a project offers, and a new release may add to it.
import { fail } from '#libs/errors';
import { authPath } from '#libs/wire';
import type { AuthPart, MatchedRoute, Route } from './part.js';
import { passwordSignInPath } from './parts/email-password/part.js';
import { PARTS } from './parts/index.js';
import { deleteUserPath } from './parts/self-deletion/part.js';

/** Finds the route of a request. */
export interface Router {
  /** Throws NOT_FOUND, and METHOD_NOT_ALLOWED for a route of other methods. */
  match(method: string, pathname: string): MatchedRoute;
  /** The settings that a path needs which the engine could serve and does not; undefined for every other path. */
  neededFor(pathname: string): readonly string[] | undefined;
}

interface Pattern {
  readonly segments: readonly string[];
  readonly routes: readonly MatchedRoute[];
}

type RoutedPart = Pick<AuthPart, 'name' | 'routes'>;
type FindRoutes = (path: string) => readonly MatchedRoute[] | undefined;

/** A router over the routes of the parts that are `served`; the others are known by their paths alone. */
export function buildRouter(served: readonly RoutedPart[]): Router {
  const find = finderOf(served.flatMap(routesOf));
  const hidden = switchable.filter(({ part }) => !served.some(({ name }) => name === part.name));
  return {
    match(method, pathname) {
      const found = find(pathOf(pathname));
      if (!found) throw fail('NOT_FOUND', { path: pathname });
      const route = found.find((each) => each.method === method);
      if (!route) throw fail('METHOD_NOT_ALLOWED', { method });
      return route;
    },
    neededFor(pathname) {
      const path = pathOf(pathname);
      if (find(path)) return undefined;
      return hidden.find((each) => each.find(path))?.part.neededSettings;
    },
  };
}

const pathOf = (pathname: string): string =>
  pathname.startsWith(`${authPath}/`) ? pathname.slice(authPath.length) : '';

function finderOf(routes: readonly MatchedRoute[]): FindRoutes {
  const paths = [...new Set(routes.map(({ path }) => path))];
  const exact = new Map<string, readonly MatchedRoute[]>();
  const patterns: Pattern[] = [];
  for (const path of paths) {
    const same = routes.filter((route) => route.path === path);
    if (path.includes('/:')) patterns.push({ segments: path.split('/'), routes: same });
    else exact.set(path, same);
  }
  return (path) => exact.get(path) ?? findPattern(patterns, path);
}

/** The parts that settings turn off; the same for all projects. */
const switchable = PARTS.filter(({ neededSettings }) => neededSettings !== undefined).map(
  (part) => ({ part, find: finderOf(routesOf(part)) }),
);

/** Every route that a project may serve, with its full path. */
export function listAuthRoutes(): readonly MatchedRoute[] {
  return PARTS.flatMap(routesOf).map((route) => ({ ...route, path: `${authPath}${route.path}` }));
}

/** The routes that the server also calls in place of routes of its own, with their full paths. */
export const calledRoutes = {
  deleteUser: declared(deleteUserPath),
  signInWithPassword: declared(passwordSignInPath),
};

function declared(path: string): MatchedRoute {
  const route = listAuthRoutes().find((each) => each.path === `${authPath}${path}`);
  if (!route) throw new Error(`No part of the auth engine declares the route ${path}`);
  return route;
}

function routesOf({ name, routes }: RoutedPart): readonly MatchedRoute[] {
  return Object.entries(routes).flatMap(([path, entry]) =>
    [entry].flat().map((route: Route) => ({ ...route, path, part: name })),
  );
}

function findPattern(patterns: readonly Pattern[], path: string): Pattern['routes'] | undefined {
  const segments = path.split('/');
  return patterns.find(
    (pattern) =>
      pattern.segments.length === segments.length &&
      pattern.segments.every((part, index) =>
        part.startsWith(':') ? segments[index] !== '' : part === segments[index],
      ),
  )?.routes;
}

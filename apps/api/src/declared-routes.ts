// The routes of projects as their controllers declare them, read without an application: the console asks which
// capability a route needs, also in a process that serves no projects.
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';

import { listAuthRoutes } from '#libs/auth-engine';
import type { ProjectRoute } from '#libs/wire';

import { AppModule } from './app.module.js';
import { ruleOfAuthRoute } from './auth/serve-engine.js';
import type { RouteRule } from './http/access.js';

/** Every route of a project, without those that the server answers for no project. */
export function declaredRoutes(): readonly ProjectRoute[] {
  const modules = read<readonly object[]>(MODULE_METADATA.IMPORTS, AppModule) ?? [];
  const controllers = modules.flatMap(
    (module) => read<readonly Controller[]>(MODULE_METADATA.CONTROLLERS, module) ?? [],
  );
  return [...controllers.flatMap(routesOf), ...authRoutes()];
}

/** A class of a controller. */
type Controller = new (...dependencies: never[]) => object;

function routesOf(controller: Controller): ProjectRoute[] {
  const prefixes = pathsOf(controller);
  const handlers = Object.values(Object.getOwnPropertyDescriptors(controller.prototype));
  return handlers.flatMap(({ value: handler }) => {
    const declared = declarationOf(handler);
    if (!declared) return [];
    const paths = prefixes.flatMap((prefix) =>
      declared.paths.map((path) => `/${prefix}/${path}`.replace(/\/{2,}/g, '/').replace(/\/$/, '')),
    );
    const { method, rule } = declared;
    const { mayContinue } = rule;
    return paths.map((path) => ({ method, path, needs: needsOf(rule), mayContinue }));
  });
}

interface Declaration {
  readonly method: string;
  readonly paths: readonly string[];
  readonly rule: RouteRule;
}

function declarationOf(handler: unknown): Declaration | undefined {
  if (typeof handler !== 'function') return undefined;
  const method = read<RequestMethod>(METHOD_METADATA, handler);
  const rule = read<{ readonly rule?: RouteRule }>(FASTIFY_ROUTE_CONFIG_METADATA, handler)?.rule;
  if (method === undefined || rule === undefined || rule.servedBy === 'server') return undefined;
  return { method: RequestMethod[method], paths: pathsOf(handler), rule };
}

function authRoutes(): ProjectRoute[] {
  return listAuthRoutes().map((route) => {
    const rule = ruleOfAuthRoute(route);
    const { method, path } = route;
    return { method, path, needs: needsOf(rule), mayContinue: rule.mayContinue };
  });
}

function needsOf({ access, servedBy }: RouteRule): ProjectRoute['needs'] {
  // Accounts belong to the users of the project: access to them is as good as a credential.
  if (servedBy === 'engine') return 'secrets.manage';
  if (access.kind === 'admin') return access.capability;
  return access.kind === 'settings-group' ? 'by group' : 'by method';
}

function pathsOf(target: object): readonly string[] {
  return [read<string | readonly string[]>(PATH_METADATA, target) ?? ''].flat();
}

/** Returns the value that a decorator of Nest has stored under `key`; the caller knows its type. */
function read<T>(key: string, target: object): T | undefined {
  return Reflect.getMetadata(key, target);
}

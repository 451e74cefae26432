// Every route that the application answers, with the rule that its controller states. What the server
// registered is the truth here: a route added past the controllers shows up as one without a rule.
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

import { listAuthRoutes } from '#libs/auth-engine';

import { accessKey, type AccessRule } from './access.js';

/** One method of one path. */
export interface ApiRoute {
  /** `GET`, `POST`, … */
  readonly method: string;
  /** With its parameters: `/rest/v1/:table`; `*` at the end stands for any rest. */
  readonly path: string;
  readonly access: AccessRule;
}

type ServedRoute = Pick<ApiRoute, 'method' | 'path'>;

declare module 'fastify' {
  interface FastifyInstance {
    servedRoutes: ServedRoute[];
  }
}

/** Pages of the documentation: Swagger registers them without a controller. */
const documentation = '/api/docs';
const open: AccessRule = { kind: 'public' };

/** Notes the routes that `server` is given from now on. */
export function recordRoutes(server: FastifyInstance): void {
  const served: ServedRoute[] = [];
  server.decorate('servedRoutes', served);
  server.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) served.push({ method: each, path: url });
  });
}

/**
 * Every route of an application that is initialized; those of the auth engine one by one.
 * Throws when a route states no access rule.
 */
export function listRoutes(app: NestFastifyApplication): readonly ApiRoute[] {
  const rules = accessRules(app);
  const served = app.getHttpAdapter().getInstance().servedRoutes;
  const routes = served.map((route) => ({ ...route, access: ruleOf(route, rules) }));
  return [...routes, ...listAuthRoutes().map((route) => ({ ...route, access: open }))];
}

function ruleOf({ method, path }: ServedRoute, rules: ReadonlyMap<string, AccessRule>): AccessRule {
  if (path === documentation || path.startsWith(`${documentation}/`)) return open;
  // The server answers HEAD wherever it answers GET.
  const own =
    rules.get(`${method} ${path}`) ?? (method === 'HEAD' ? rules.get(`GET ${path}`) : undefined);
  const rule = own ?? rules.get(`ALL ${path}`);
  if (!rule) throw new Error(`The route ${method} ${path} states no access rule (@Access)`);
  return rule;
}

/** The rules by method and path. */
function accessRules(app: NestFastifyApplication): ReadonlyMap<string, AccessRule> {
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return new Map(
    controllers.flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype: object = metatype.prototype;
      return scanner
        .getAllMethodNames(prototype)
        .flatMap((name) => rulesOf(metatype, Reflect.get(prototype, name)));
    }),
  );
}

function rulesOf(controller: object, handler: object): (readonly [string, AccessRule])[] {
  const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
  const access: AccessRule | undefined = Reflect.getMetadata(accessKey, handler);
  if (typeof method !== 'number' || !access) return [];
  return pathsOf(controller).flatMap((base) =>
    pathsOf(handler).map((path) => {
      const full = [base, path].filter((part) => part !== '').join('/');
      return [`${RequestMethod[method] ?? ''} /${full}`, access] as const;
    }),
  );
}

function pathsOf(target: object): readonly string[] {
  const declared: string | string[] | undefined = Reflect.getMetadata(PATH_METADATA, target);
  return [declared ?? ''].flat().map((path) => path.replace(/^\/+|\/+$/g, ''));
}

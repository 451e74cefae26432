import { type INestApplicationContext, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { accessKey, type AccessRule } from './access.js';

/** A route as its controller declares it. */
export interface ConsoleRoute {
  /** `GET`, `POST`, …; `ALL` for any. */
  readonly method: string;
  /** With its parameters: `/platform/projects/:ref`. */
  readonly path: string;
  readonly access: AccessRule;
}

/** Every route of the application. Throws when one does not state its access rule. */
export function listRoutes(app: INestApplicationContext): readonly ConsoleRoute[] {
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    const prototype: object = metatype.prototype;
    return scanner
      .getAllMethodNames(prototype)
      .flatMap((name) => routesOf(metatype, Reflect.get(prototype, name)));
  });
}

function routesOf(controller: object, handler: object): readonly ConsoleRoute[] {
  const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
  if (typeof method !== 'number') return [];
  const access: AccessRule | undefined = Reflect.getMetadata(accessKey, handler);
  const paths = pathsOf(controller).flatMap((base) =>
    pathsOf(handler).map((path) => `/${[base, path].filter((part) => part !== '').join('/')}`),
  );
  if (!access) throw new Error(`The route ${paths.join(', ')} states no access rule (@Access)`);
  return paths.map((path) => ({ method: RequestMethod[method] ?? '', path, access }));
}

function pathsOf(target: object): readonly string[] {
  const declared: string | string[] | undefined = Reflect.getMetadata(PATH_METADATA, target);
  return [declared ?? ''].flat().map((path) => path.replace(/^\/+|\/+$/g, ''));
}

import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

import type { Steps } from '#libs/steps';

import type { Paths } from './api-document.js';

/** The data of the decorators of controllers and DTO classes. */
export interface ReadControllers {
  /** Ids of operations are `Controller.method`. */
  readonly paths: Paths;
  readonly schemas: Readonly<Record<string, object>>;
}

/** Reads the controllers of `app`, a module in each step. */
export function* readControllers(app: INestApplication): Steps<ReadControllers> {
  const config = new DocumentBuilder().build();
  const paths: Record<string, Paths[string]> = {};
  const schemas: Record<string, object> = {};
  for (const { metatype } of app.get(ModulesContainer).values()) {
    const read = SwaggerModule.createDocument(app, config, {
      include: [metatype],
      operationIdFactory: (controller, method) => `${controller}.${method}`,
    });
    const items = Object.entries(read.paths as unknown as Paths); // From here on it is read as JSON.
    for (const [path, item] of items) paths[path] = { ...paths[path], ...item };
    Object.assign(schemas, read.components?.schemas);
    yield;
  }
  return { paths, schemas };
}

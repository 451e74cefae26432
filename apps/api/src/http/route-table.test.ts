import 'reflect-metadata';

import { expect, test } from 'vitest';
import { All, Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

import { largeJson } from '#libs/web';

import { Access, routeRule } from './access.js';
import { listRoutes, recordRoutes } from './route-table.js';

@Controller(['api/things', 'things'])
class StatedController {
  @Get(':id')
  @Access('admin', 'content.read', { body: largeJson })
  read(): void {}

  @All('open/*')
  @Access('public')
  open(): void {}
}

@Controller('forgotten')
class ForgottenController {
  @Get()
  read(): void {}
}

@Module({ controllers: [StatedController] })
class StatedModule {}

@Module({ imports: [StatedModule], controllers: [ForgottenController] })
class ForgottenModule {}

async function initialized(
  module: object,
  extend: (app: NestFastifyApplication) => unknown = () => undefined,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  recordRoutes(app.getHttpAdapter().getInstance());
  extend(app);
  return app.init();
}

test('every path and method is listed with the rule of its controller', async () => {
  const app = await initialized(StatedModule);
  const routes = listRoutes(app).filter(({ path }) => path.includes('things'));
  await app.close();
  const read = routeRule({ kind: 'admin', capability: 'content.read' }, { body: largeJson });
  for (const path of ['/api/things/:id', '/things/:id']) {
    for (const method of ['GET', 'HEAD']) {
      expect(routes).toContainEqual({ method, path, ...read });
    }
  }
  const open = routeRule({ kind: 'public' });
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect(routes).toContainEqual({ method, path: '/things/open/*', ...open });
  }
});

test('a route of a controller without a rule is named in an error', async () => {
  await expect(initialized(ForgottenModule)).rejects.toThrow('/forgotten states no access rule');
});

test('a route past the controllers is named in an error', async () => {
  const raw = (app: NestFastifyApplication) =>
    app
      .getHttpAdapter()
      .getInstance()
      .get('/raw', () => '');
  await expect(initialized(StatedModule, raw)).rejects.toThrow('/raw states no access rule');
});

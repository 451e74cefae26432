import 'reflect-metadata';

import { expect, test } from '@jest/globals';
import { All, Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

import { Access } from './access.js';
import { listRoutes, recordRoutes } from './route-table.js';

@Controller(['api/things', 'things'])
class StatedController {
  @Get(':id')
  @Access('admin', 'content.read')
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
  extend: (app: NestFastifyApplication) => void = () => undefined,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
  });
  recordRoutes(app.getHttpAdapter().getInstance());
  extend(app);
  return app.init();
}

test('every path and method is listed with the rule of its controller', async () => {
  const app = await initialized(StatedModule);
  const routes = listRoutes(app).filter(({ path }) => path.includes('things'));
  await app.close();
  const read = { kind: 'admin', capability: 'content.read' };
  for (const path of ['/api/things/:id', '/things/:id']) {
    for (const method of ['GET', 'HEAD']) {
      expect(routes).toContainEqual({ method, path, access: read });
    }
  }
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect(routes).toContainEqual({ method, path: '/things/open/*', access: { kind: 'public' } });
  }
});

test('a route of a controller without a rule is named in an error', async () => {
  const app = await initialized(ForgottenModule);
  expect(() => listRoutes(app)).toThrow('/forgotten states no access rule');
  await app.close();
});

test('a route past the controllers is named in an error', async () => {
  const app = await initialized(StatedModule, (raw) => {
    raw
      .getHttpAdapter()
      .getInstance()
      .get('/raw', () => '');
  });
  expect(() => listRoutes(app)).toThrow('/raw states no access rule');
  await app.close();
});

test('the routes of the auth engine are listed one by one', async () => {
  const app = await initialized(StatedModule);
  expect(listRoutes(app)).toContainEqual({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    access: { kind: 'public' },
  });
  await app.close();
});

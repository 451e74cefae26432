import { createConsoleApp } from '#apps/console/server';
import { ControlPlaneStartError, openControlPlane } from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomBytes } from 'node:crypto';
import { Access } from '../../apps/console/server/src/http/access.js';
import { recordRoutes } from '../../apps/console/server/src/http/route-table.js';
import { testDatabaseUrl, withClient } from '../support/test-server.js';
import { depsOf, startConsole, type TestConsole } from './console-under-test.js';
import { openFixture, uniqueWord } from './control-plane-fixture.js';
import { startForwarder } from './forwarder.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

describe('the console host', () => {
  test('shows the documentation where the pages were not built', async () => {
    const root = await site.call('GET', '/');
    expect(root.status).toBe(302);
    expect(root.headers['location']).toBe('/docs');
    const docs = await site.call('GET', '/docs');
    expect(docs.status).toBe(200);
    expect(docs.text).toContain('Rowhouse console');
  });

  test('describes its routes, with bodies and replies', async () => {
    const { body } = await site.call('GET', '/docs/json');
    const login = body.paths['/platform/login'].post;
    expect(login.requestBody.content['application/json'].schema.$ref).toContain('LoginBody');
    expect(login.responses['200'].content['application/json'].schema.$ref).toContain('LoginReply');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/auth/two-factor/verify-totp', '/platform/operators/{id}/reset']),
    );
  });

  test.each(['/livez', '/readyz'])('%s answers', async (path) => {
    expect(await site.call('GET', path)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('every answer', () => {
  test.each(['/livez', '/docs', '/nowhere', '/platform/sessions'])(
    '%s has the security headers and a request id',
    async (path) => {
      const { headers } = await site.call('GET', path);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  test('takes no request id from outside', async () => {
    const { headers } = await site.call('GET', '/livez', { headers: { 'x-request-id': 'mine' } });
    expect(headers['x-request-id']).not.toBe('mine');
  });
});

describe('errors', () => {
  const long = `{"email":"${'x'.repeat(1_100_000)}"}`;
  test.each([
    {
      name: 'no such path',
      method: 'GET',
      path: '/nowhere?token=x',
      status: 404,
      code: 'NOT_FOUND',
    },
    {
      name: 'a method that the path does not take',
      method: 'PUT',
      path: '/livez',
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    },
    { name: 'a broken escape', method: 'GET', path: '/%zz', status: 400, code: 'INVALID_REQUEST' },
    {
      name: 'a body that is too large',
      method: 'POST',
      path: '/platform/login',
      body: long,
      status: 413,
      code: 'BODY_TOO_LARGE',
    },
    {
      name: 'a body of another type',
      method: 'POST',
      path: '/platform/login',
      body: 'email=a',
      type: 'application/x-www-form-urlencoded',
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
    {
      name: 'a body that would change the prototype',
      method: 'POST',
      path: '/platform/login',
      body: '{"__proto__":{"x":1}}',
      status: 400,
      code: 'INVALID_JSON',
    },
    {
      name: 'a missing body',
      method: 'POST',
      path: '/platform/login',
      status: 400,
      code: 'INVALID_INPUT',
    },
  ])('$name has the one shape', async ({ method, path, status, code, body, type }) => {
    const reply = await site.call(method, path, {
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    });
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({
      message: expect.any(String),
      code,
      status,
      requestId: reply.headers['x-request-id'],
    });
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.text).not.toContain('token=x');
  });
});

test('while the database is gone the console is not ready, and is again when it is back', async () => {
  const forwarder = await startForwarder(testDatabaseUrl());
  const databaseName = uniqueWord('cp_test_');
  const databaseUrl = forwarder.url;
  const controlPlane = await openControlPlane({
    databaseUrl,
    databaseName,
    masterKey: randomBytes(32),
    reservedRefs: [],
  });
  const app = await createConsoleApp(depsOf(controlPlane));
  await app.listen(0, '127.0.0.1');
  const ready = async () => {
    const reply = await fetch(`${await app.getUrl()}/readyz`);
    const body: unknown = await reply.json();
    return { status: reply.status, body, retryAfter: reply.headers.get('retry-after') };
  };
  expect(await ready()).toMatchObject({ status: 200 });
  await forwarder.cut();
  const gone = {
    status: 503,
    body: expect.objectContaining({ code: 'DATABASE_UNAVAILABLE' }),
    retryAfter: '1',
  };
  expect(await Promise.all([ready(), ready()])).toEqual([gone, gone]);
  await forwarder.mend();
  expect(await ready()).toMatchObject({ status: 200 });
  await app.close();
  await controlPlane.close();
  await forwarder.cut();
  await withClient(testDatabaseUrl(), (client) => client.query(`drop database ${databaseName}`));
});

describe('the start', () => {
  test('is refused with another master key, in one line', async () => {
    await using fixture = await openFixture();
    const { databaseUrl, databaseName } = fixture;
    const opening = openControlPlane({
      databaseUrl,
      databaseName,
      masterKey: randomBytes(32),
      reservedRefs: [],
    });
    const refusal: unknown = await opening.catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ControlPlaneStartError);
    expect(String(refusal)).toMatch(/^Error: MASTER_KEY [^\n]+$/);
  });

  test('is possible for several processes together', async () => {
    const databaseUrl = testDatabaseUrl();
    const databaseName = uniqueWord('cp_test_');
    const masterKey = randomBytes(32);
    const opened = await Promise.all(
      [1, 2, 3].map(() =>
        openControlPlane({ databaseUrl, databaseName, masterKey, reservedRefs: [] }),
      ),
    );
    await Promise.all(opened.map((controlPlane) => controlPlane.close()));
    await withClient(databaseUrl, (client) => client.query(`drop database ${databaseName}`));
  });

  /** Starts an application with the routes of a controller alone. */
  async function startWith(controller: new () => object): Promise<void> {
    @Module({ controllers: [controller] })
    class OneModule {}
    const adapter = new FastifyAdapter();
    recordRoutes(adapter.getInstance());
    const options = { logger: false, abortOnError: false } as const;
    const app = await NestFactory.create<NestFastifyApplication>(OneModule, adapter, options);
    await app.init();
  }

  test('is refused when a route states no access rule', async () => {
    @Controller('forgotten')
    class ForgottenController {
      @Get('route')
      route(): void {}
    }
    await expect(startWith(ForgottenController)).rejects.toThrow(
      '/forgotten/route states no access rule',
    );
  });

  test('is refused when a public route takes bodies and counts no requests', async () => {
    @Controller('open')
    class OpenController {
      @Post('route')
      @Access({ kind: 'public' })
      route(): void {}
    }
    await expect(startWith(OpenController)).rejects.toThrow(
      'POST /open/route is public and counts no requests (visitsPerMinute)',
    );
  });
});

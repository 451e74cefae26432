// The limits of functions, and that what one of them does stays with it.
import { Readable } from 'node:stream';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import {
  describeWithDeno,
  type FixtureProject,
  type FunctionsFixture,
  openFixture,
  ordinaryLimits,
} from './functions-fixture.js';

const held = `Deno.serve((request) => {
  const url = new URL(request.url);
  if (url.pathname.endsWith('/quick')) return new Response('quick');
  console.log('held');
  return new Promise(() => {});
});`;

describeWithDeno('a function', () => {
  let fixture: FunctionsFixture;
  let project: FixtureProject;
  beforeEach(async () => {
    fixture = await openFixture({ maxProcesses: 2 });
    project = fixture.open();
  });
  afterEach(() => fixture.close());

  const isHeld = (count = 1) =>
    waitFor(() => project.logs.filter(({ message }) => message === 'held').length >= count);

  test('that takes too long is ended for its request, and others get their answers', async () => {
    const version = await project.deploy('slow', held);
    await project.call(version, { path: '/quick' });
    const limited = fixture.open();
    project.limits = { ...ordinaryLimits, timeoutSeconds: 1 };
    await expect(project.call(version)).rejects.toMatchObject({
      code: 'FUNCTION_TIMEOUT',
      status: 504,
    });
    expect(await project.call(version, { path: '/quick' })).toMatchObject({ text: 'quick' });
    expect(project.invocations.at(-1)).toMatchObject({ status: 200, isColdStart: true });
    await limited.functions.close();
  });

  test('has few requests at the same time, few that wait, and refuses others', async () => {
    project.limits = { ...ordinaryLimits, concurrency: 1, queue: 1, timeoutSeconds: 3 };
    const version = await project.deploy('narrow', held);
    const client = new AbortController();
    const first = project.call(version, { signal: client.signal }).catch(() => 'left');
    await isHeld();
    const second = project.call(version, { path: '/quick' });
    await expect(project.call(version)).rejects.toMatchObject({
      code: 'FUNCTION_BUSY',
      status: 429,
    });
    client.abort();
    expect(await first).toBe('left');
    expect((await second).text).toBe('quick');
  });

  test('is refused more than its bytes, in both directions', async () => {
    project.limits = { ...ordinaryLimits, maxRequestBytes: 1000, maxResponseBytes: 100_000 };
    const version = await project.deploy(
      'large',
      `Deno.serve(async (request) => new Response('x'.repeat(Number(await request.text()) || 1e6)));`,
    );
    const body = Readable.from([Buffer.alloc(600), Buffer.alloc(600)]);
    await expect(project.call(version, { body })).rejects.toMatchObject({
      code: 'FUNCTION_BODY_TOO_LARGE',
      status: 413,
    });
    await expect(project.call(version, { body: '' })).rejects.toMatchObject({
      code: 'FUNCTION_BODY_TOO_LARGE',
    });
    expect(project.invocations.at(-1)).toMatchObject({
      status: 200,
      code: 'FUNCTION_BODY_TOO_LARGE',
    });
    expect((await project.call(version, { body: '5' })).text).toBe('xxxxx');
  });

  test('that ends its process is started again, and after three times only later', async () => {
    const version = await project.deploy('fragile', `Deno.serve(() => { Deno.exit(3); });`);
    for (const _ of [1, 2, 3]) {
      await expect(project.call(version)).rejects.toMatchObject({
        code: 'FUNCTION_CRASHED',
        status: 502,
      });
    }
    await waitFor(
      () => project.logs.filter(({ message }) => message.includes('the code 3')).length === 3,
    );
    await expect(project.call(version)).rejects.toMatchObject({
      code: 'FUNCTION_CRASHED',
      retryAfterSeconds: 5,
    });
    expect(project.logs).toHaveLength(3);
  });

  test('that cannot be loaded says why in its log', async () => {
    const version = await project.deploy('broken', `throw new Error('no settings');`);
    await expect(project.call(version)).rejects.toMatchObject({ code: 'FUNCTION_CRASHED' });
    await waitFor(() => project.logs.some(({ message }) => message.includes('no settings')));
  });

  test('with promises to keep goes on after its answer, also when a newer version takes over', async () => {
    const code = (name: string) => `Deno.serve(() => {
      EdgeRuntime.waitUntil(new Promise((done) => setTimeout(() => { console.log('kept by ${name}'); done(); }, 500)));
      return new Response('${name}');
    });`;
    const first = await project.deploy('loyal', code('first'));
    expect((await project.call(first)).text).toBe('first');
    const second = await project.deploy('loyal', code('second'));
    project.functions.keepOnly('loyal', second.version);
    expect((await project.call(second)).text).toBe('second');
    await waitFor(() =>
      ['first', 'second'].every((name) =>
        project.logs.some(({ message }) => message === `kept by ${name}`),
      ),
    );
  });
});

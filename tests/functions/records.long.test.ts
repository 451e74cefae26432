// What is kept of functions: their logs and their invocations, as lists, live, and for how long.
import { get } from 'node:http';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import type { Deployment } from '../support/deployment.js';
import { type EdgeProject, openEdgeProject } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

const talking = `Deno.serve((request) => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/odd')) console.log('odd \\u0000 text');
  else {
    console.log('called', pathname);
    console.error('and failed');
  }
  if (pathname.endsWith('/crash')) Deno.exit(1);
  return new Response('done', { status: 202 });
});`;

describeWithDeno('a record', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    ({ deployment, edge } = await openEdgeProject());
    await edge.create('talking', talking);
  }, 60_000);
  afterAll(() => deployment.close());

  const call = (below: string, id: string) => {
    const headers = { apikey: edge.project.secretKey, 'x-request-id': id };
    return edge.call(below, { headers });
  };
  const logged = (query: string, count: number) =>
    waitFor(
      async () => {
        const logs = await edge.list(`/logs?${query}`, 'logs');
        return logs.length >= count ? logs : undefined;
      },
      { until: `${count} lines are kept` },
    );

  test('log lines are found by function, level and request', async () => {
    await call('talking/a', 'first');
    await call('talking/b', 'second');
    const [failed, called] = await logged('requestId=first', 2);
    expect(called).toMatchObject({
      slug: 'talking',
      version: 1,
      requestId: 'first',
      message: 'called /api/edge/talking/a',
    });
    expect(failed).toMatchObject({ level: 'error', message: 'and failed' });
    expect(await logged('function=talking&level=error', 2)).toHaveLength(2);
    expect(await edge.list('/logs?function=other', 'logs')).toEqual([]);
  });

  test('invocations have status, duration, memory and caller; the list has the last one', async () => {
    await call('talking/c?query', 'third');
    const [found] = await waitFor(async () => {
      const list = await edge.list('/invocations?requestId=third', 'invocations');
      return list.length > 0 ? list : undefined;
    });
    expect(found).toMatchObject({
      slug: 'talking',
      method: 'GET',
      path: '/c',
      status: 202,
      code: null,
      caller: 'secret-key',
      isColdStart: false,
    });
    expect(Number(found?.['memoryKb'])).toBeGreaterThan(10_000);
    const [listed] = await edge.list('', 'functions');
    expect(listed).toMatchObject({ lastInvocation: { status: 202 } });
  });

  test('pages continue where the one before has ended', async () => {
    const first = await edge.asked('GET', '/logs?limit=1');
    const second = await edge.asked('GET', `/logs?limit=1&before=${String(first['next'])}`);
    expect(first['logs']).not.toEqual(second['logs']);
    expect(first['next']).toEqual(expect.any(String));
  });

  test('a function that ends without an answer is 502, with a record', async () => {
    const reply = await call('talking/crash', 'crash');
    expect(reply).toMatchObject({ status: 502, body: { code: 'FUNCTION_CRASHED' } });
    await waitFor(async () => (await edge.list('/invocations?requestId=crash', 'invocations'))[0]);
    const [found] = await edge.list('/invocations?requestId=crash', 'invocations');
    expect(found).toMatchObject({ status: 502, code: 'FUNCTION_CRASHED' });
  });

  test('a text that cannot be stored keeps no other line away', async () => {
    await call('talking/odd', 'odd');
    const [line] = await logged('requestId=odd', 1);
    expect(line?.['message']).toBe('odd \uFFFD text');
  });

  test('the stream has lines and calls as they happen', async () => {
    const { apiOrigin, host, secretKey } = edge.project;
    const path = '/api/admin/functions/logs/stream?function=talking&seconds=20';
    let text = '';
    const headers = { host, apikey: secretKey };
    const sent = get(`${apiOrigin}${path}`, { headers }, (response) => {
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
    });
    sent.on('error', () => undefined);
    await waitFor(() => text.includes('retry'));
    await call('talking/live', 'live');
    await waitFor(
      () => /event: log\n.*talking\/live/.test(text) && /event: invocation\n.*"live"/.test(text),
    );
    sent.destroy();
  });
});

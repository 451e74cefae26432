// Messages of a hook that names an edge function, where one process serves the API and another one sends messages.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord, Deployment } from '../support/deployment.js';
import { EdgeProject } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

const sender = `
const sent = [];
Deno.serve(async (request) => {
  if (request.method === 'GET') return Response.json(sent);
  sent.push((await request.json()).data.to);
  return new Response(null, { status: 204 });
});`;

describeWithDeno('a process without edge functions', () => {
  let api: Deployment;
  let worker: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    api = await Deployment.open({ env: { ROLES: 'api,console' } });
    worker = await Deployment.open({ env: { ROLES: 'console,worker' } }, api);
    edge = new EdgeProject(await api.createProject());
    await edge.create('sender', sender);
  }, 120_000);
  afterAll(async () => {
    await worker.stop();
    await api.close();
  });

  test('passes a message on, which is sent once and never counts as failed', async () => {
    const send = { enabled: true, target: 'edge', edgeFunction: 'sender', timeoutMs: 15_000 };
    const path = '/api/admin/settings/auth.hooks';
    const saved = await edge.project.asService({ method: 'PUT', path, body: { send } });
    expect(saved.status).toBe(200);
    await edge.project.send({
      method: 'POST',
      path: '/api/auth/sign-in/magic-link',
      body: { email: 'ada@example.org', callbackURL: '/' },
    });
    const sent = await waitFor(
      async () => {
        const { body } = await edge.call('sender');
        return Array.isArray(body) && body.length > 0 && body;
      },
      { until: 'the function has sent the mail', ms: 60_000 },
    );
    expect(sent).toEqual(['ada@example.org']);
    const log = () => edge.project.asService({ path: '/api/admin/hooks/deliveries?hook=send' });
    const deliveries = await waitFor(async () => {
      const { deliveries: list } = asRecord((await log()).body);
      return Array.isArray(list) && list.length > 0 && list;
    });
    expect(deliveries).toMatchObject([{ status: 'succeeded', attempts: 1, target: 'sender' }]);
  }, 120_000);
});

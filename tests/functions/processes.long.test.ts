// Functions where several processes of the deployment serve a project: each answers with what another has deployed.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import { EdgeProject, reading, saying } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

describeWithDeno('in two processes', () => {
  let one: Deployment;
  let other: Deployment;
  let here: EdgeProject;
  let there: EdgeProject;
  beforeAll(async () => {
    one = await Deployment.open();
    other = await Deployment.open({}, one);
    const project = await one.createProject();
    [here, there] = [new EdgeProject(project), new EdgeProject(project.through(other.apiOrigin))];
  }, 60_000);
  afterAll(async () => {
    await other.stop();
    await one.close();
  }, 60_000);

  test('a deploy, a return, new secrets and a deletion hold for the next call in the other', async () => {
    await here.create('hello', saying('one'));
    expect((await there.call('hello')).text).toBe('one');
    await here.deploy('hello', saying('two'));
    expect((await there.call('hello')).text).toBe('two');
    await there.asked('POST', '/hello/activate', { version: 1 });
    expect((await here.call('hello')).text).toBe('one');
    await here.deploy('hello', reading('WORD'));
    expect((await there.call('hello')).text).toBe('none');
    await here.asked('PUT', '/secrets', { WORD: 'set' });
    expect((await there.call('hello')).text).toBe('set');
    await here.admin('DELETE', '/hello');
    expect((await there.call('hello')).status).toBe(404);
  });

  test('a function reaches its own project with the token of its caller', async () => {
    const own = `Deno.serve(async (request) => {
      const url = Deno.env.get('SUPABASE_URL') + '/api/auth/get-session';
      const answer = await fetch(url, { headers: { authorization: request.headers.get('authorization') ?? '' } });
      return new Response(answer.body, { status: answer.status });
    });`;
    await here.create('session', own);
    const user = await here.project.signUp('user@example.org');
    const headers = { authorization: `Bearer ${user.token}` };
    const reply = await here.call('session', { headers });
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining(user.id)]);
  });

  test('a function does not pass for a program of this machine at its project', async () => {
    await here.create(
      'metrics',
      `Deno.serve(async () => {
      const answer = await fetch(Deno.env.get('SUPABASE_URL') + '/metrics');
      return new Response(null, { status: answer.status });
    });`,
    );
    expect((await here.call('metrics')).status).toBe(404);
  });
});

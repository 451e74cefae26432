// Runs the examples of docs/functions.md: the commands with curl, and the programs as functions.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { verifyWebhook } from '#libs/outbound';
import { waitFor } from '#libs/testing';

import { EdgeProject } from '../functions/edge-fixture.js';
import { describeWithDeno } from '../functions/functions-fixture.js';
import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { openHttpRecorder } from '../support/http-recorder.js';
import { patternOf, readFences } from '../support/markdown.js';

const page = readFileSync('docs/functions.md', 'utf8');
/** Without the section on commands, which are run by tests/functions/commands.long.test.ts. */
const fences = readFences(page.replace(/\n## From the command line\n[^]*?(?=\n## )/, ''));
const blocks = (language: string) =>
  fences.filter((fence) => fence.language === language).map(({ text }) => text);
const [create = '', secrets = '', tokens = '', schedule = '', trigger = '', address = ''] =
  blocks('sh');
const [greeting = '', verifying = '', onOrder = ''] = blocks('ts');
const [printed = '', change = ''] = blocks('json');

/** The registry of packages is not for tests: the verification is that of the web. */
const withOurVerification = (code: string): string => code.replace(/^import .*$/m, ourVerification);

test('the page has the blocks that are run here, and no other', () => {
  const ofSchedulesAndTriggers = ['sh', 'ts', 'sh', 'json', 'sh'];
  expect(fences.map(({ language }) => language)).toEqual(
    ['sh', 'json', 'ts', 'ts', 'sh', 'sh'].concat(ofSchedulesAndTriggers),
  );
});

const ourVerification = `const jwtVerify = async (token, key) => {
  const [header, payload, signature] = token.split('.');
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(header + '.' + payload);
  if (!(await crypto.subtle.verify('HMAC', imported, bytes(signature), signed))) throw new Error('no');
  return { payload: JSON.parse(new TextDecoder().decode(bytes(payload))) };
};`;

describeWithDeno('the examples', () => {
  let deployment: Deployment;
  let gateway: Gateway;
  let edge: EdgeProject;
  beforeAll(async () => {
    deployment = await Deployment.shared('functions');
    edge = new EdgeProject(await deployment.createProject());
    gateway = await openGateway(edge.project);
  }, 60_000);
  afterAll(async () => {
    await gateway.close();
    await deployment.close();
  });

  const run = async (commands: string): Promise<readonly string[]> => {
    const env = { ...process.env, URL: gateway.url, KEY: edge.project.secretKey };
    // A line of its own for the output of each command.
    const script = commands.replaceAll(/\n(?=curl )/g, '\necho\n');
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
    return stdout.split('\n').filter((line) => line !== '');
  };

  test('a function is made and called', async () => {
    const [made = '', answer = ''] = await run(create);
    expect(JSON.parse(made)).toMatchObject({ slug: 'hello', activeVersion: 1 });
    expect(JSON.parse(answer)).toEqual(JSON.parse(printed));
  });

  test('the function with a shared file answers', async () => {
    const shared = 'export const greet = (name: string) => `Hello ${name}`;';
    await edge.create('greeting', { 'index.ts': greeting, '../_shared/greet.ts': shared });
    const reply = await edge.call('greeting', { method: 'POST', body: 'Ada' });
    expect(reply.body).toEqual({ greeting: 'Hello Ada' });
  });

  test('the function that verifies its caller knows the user', async () => {
    await edge.create('verifying', { 'index.js': withOurVerification(verifying) });
    const user = await edge.project.signUp('ada@example.org');
    const headers = { authorization: `Bearer ${user.token}` };
    const reply = await edge.call('verifying', { headers });
    expect(reply.body).toEqual({ id: user.id, role: 'authenticated' });
  });

  test('secrets are set, and a token is made', async () => {
    const [set = ''] = await run(secrets);
    expect(JSON.parse(set)).toMatchObject({ secrets: [{ name: 'STRIPE_KEY' }] });
    const [token = ''] = await run(tokens);
    expect(JSON.parse(token)).toMatchObject({ token: expect.stringMatching(/^svc_edge_/) });
  });

  test('a schedule runs its function with its body', async () => {
    const [ran = ''] = await run(schedule);
    const [made = {}] = await edge.list('/schedules', 'schedules');
    const runs = () => edge.list(`/schedules/${String(made['id'])}/runs`, 'runs');
    await waitFor(async () => (await runs())[0]?.['status'] === 'succeeded');
    const { eventId } = asRecord(JSON.parse(ran));
    expect(await runs()).toMatchObject([{ eventId, payload: { name: 'Ada' } }]);
  });

  test('a trigger calls its function for changes that match, and an address with a signature', async () => {
    const receiver = await openHttpRecorder();
    try {
      await edge.project.sql(
        'create table orders (id bigint primary key, status text, total numeric)',
      );
      await edge.create('on-order', { 'index.js': withOurVerification(onOrder) });
      await run(trigger);
      const url = `${receiver.origin}/orders`;
      const [made = ''] = await run(address.replace('https://accounting.example.com/orders', url));
      await edge.project.sql(`
        insert into orders values (7, 'new', 20.5);
        update orders set status = 'paid';
      `);
      const logged = () => edge.list('/logs?function=on-order', 'logs');
      await waitFor(async () => (await logged()).length === 1);
      expect((await logged())[0]?.['message']).toMatch(/^UPDATE of order 7: paid /);
      await receiver.waitForRequest(({ text }) => text.includes('INSERT'));
      const { headers, text, json } = await receiver.waitForRequest();
      expect(json).toEqual(patternOf(JSON.parse(change), 'whole'));
      const { secret } = asRecord(JSON.parse(made));
      const shown = new Headers(
        Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const signed = { secret: String(secret), headers: shown, body: text };
      const nowSeconds = Math.floor(Date.now() / 1000);
      expect(verifyWebhook({ ...signed, nowSeconds })).toBe(true);
    } finally {
      await receiver.close();
    }
  });
});

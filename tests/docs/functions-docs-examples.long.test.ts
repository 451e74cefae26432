// Runs the examples of docs/functions.md: the commands with curl, and the programs as functions.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { EdgeProject } from '../functions/edge-fixture.js';
import { describeWithDeno } from '../functions/functions-fixture.js';
import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import { Deployment } from '../support/deployment.js';
import { readFences } from '../support/markdown.js';

const page = readFileSync('docs/functions.md', 'utf8');
/** Without the section on commands, which are run by tests/functions/commands.long.test.ts. */
const fences = readFences(page.replace(/\n## From the command line\n[^]*?(?=\n## )/, ''));
const blocks = (language: string) =>
  fences.filter((fence) => fence.language === language).map(({ text }) => text);
const [create = '', secrets = '', tokens = ''] = blocks('sh');
const [greeting = '', verifying = ''] = blocks('ts');
const [printed = ''] = blocks('json');

test('the page has the blocks that are run here, and no other', () => {
  expect(fences.map(({ language }) => language)).toEqual(['sh', 'json', 'ts', 'ts', 'sh', 'sh']);
});

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
    const lines = commands.split(/\n(?=curl )/);
    const outputs: string[] = [];
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
      outputs.push(stdout);
    }
    return outputs;
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
    const ours = `const jwtVerify = async (token, key) => {
      const [header, payload, signature] = token.split('.');
      const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
      const algorithm = { name: 'HMAC', hash: 'SHA-256' };
      const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
      const signed = new TextEncoder().encode(header + '.' + payload);
      if (!(await crypto.subtle.verify('HMAC', imported, bytes(signature), signed))) throw new Error('no');
      return { payload: JSON.parse(new TextDecoder().decode(bytes(payload))) };
    };`;
    // The registry of packages is not for tests: the verification is that of the web.
    const code = verifying.replace(/^import .*$/m, ours);
    await edge.create('verifying', { 'index.js': code });
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
});

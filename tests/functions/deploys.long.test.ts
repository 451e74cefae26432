// Functions and their versions, as administrators deploy them.
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeSignedIn, operatorHeaders } from '../http/administration.js';
import type { Deployment } from '../support/deployment.js';
import { type EdgeProject, openEdgeProject, saying } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';
import { foreignZip, writeZip } from './write-zip.js';

describeWithDeno('a deploy', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    ({ deployment, edge } = await openEdgeProject());
  }, 60_000);
  afterAll(() => deployment.close());

  const audit = async (action: string) => {
    const path = `/api/admin/audit?action=${action}`;
    const { body } = await edge.project.asService({ path });
    return body as { readonly entries: readonly Record<string, unknown>[] }; // As the route describes it.
  };

  test('answers the next call, and the version before can come back', async () => {
    const made = await edge.create('greeting', saying('one'), { name: 'Greeting' });
    expect(made).toMatchObject({
      slug: 'greeting',
      name: 'Greeting',
      route: 'greeting',
      isPublic: false,
      activeVersion: 1,
      url: expect.stringMatching(/\/api\/edge\/greeting$/),
    });
    expect((await edge.call('greeting')).text).toBe('one');
    expect(await edge.deploy('greeting', saying('two'))).toMatchObject({ activeVersion: 2 });
    expect((await edge.call('greeting')).text).toBe('two');
    await edge.asked('POST', '/greeting/activate', { version: 1 });
    expect((await edge.call('greeting')).text).toBe('one');
    expect(await edge.list('/greeting/versions', 'versions')).toMatchObject([
      { version: 2, isActive: false, files: 1, createdBy: 'secret-key' },
      { version: 1, isActive: true },
    ]);
    const { entries } = await audit('function.*');
    expect(entries.map(({ action }) => action)).toEqual([
      'function.activate',
      'function.deploy',
      'function.create',
    ]);
    expect(JSON.stringify(entries)).not.toContain('Deno.serve');
  });

  test.each([
    { what: 'fails as it starts', code: `throw new Error('no settings');`, words: 'no settings' },
    {
      what: 'imports a name that is not there',
      code: {
        'index.ts': `import { nope } from './a.ts'; Deno.serve(nope);`,
        'a.ts': 'export {};',
      },
      words: 'nope',
    },
    { what: 'ends as it starts', code: 'Deno.exit(3);', words: 'with the code 3' },
    { what: 'computes on', code: 'for (;;);', words: 'cannot run' },
  ])('that $what is refused, and the version before answers', async ({ code, words }) => {
    const slug = `started-${randomUUID().slice(0, 8)}`;
    await edge.create(slug, saying('one'));
    const files = typeof code === 'string' ? { 'index.ts': code } : code;
    const refused = await edge.admin('PUT', `/${slug}`, { files });
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body).toMatchObject({ code: 'FUNCTION_REFUSED' });
    expect(refused.text).toContain(words);
    expect(refused.text).not.toContain('boot.js');
    expect((await edge.call(slug)).text).toBe('one');
  });

  test('shows what differs between versions', async () => {
    const [one, two] = [saying('one'), saying('two')];
    await edge.create('diff', { 'index.ts': one, 'old.ts': 'export {};', 'same.ts': '// same' });
    await edge.deploy('diff', { 'index.ts': two, 'new.ts': 'export {};', 'same.ts': '// same' });
    const files = [
      { path: 'index.ts', kind: 'changed', before: one, after: two },
      { path: 'new.ts', kind: 'added', before: null, after: 'export {};' },
      { path: 'old.ts', kind: 'removed', before: 'export {};', after: null },
    ];
    const diff = { from: 1, to: 2, files };
    expect(await edge.asked('GET', '/diff/versions/2/diff')).toEqual(diff);
    expect(await edge.asked('GET', '/diff/versions/2/diff?with=1')).toEqual(diff);
    expect(await edge.asked('GET', '/diff')).toMatchObject({ files: { 'index.ts': two } });
    expect(await edge.asked('GET', '/diff/versions/1')).toMatchObject({
      files: { 'index.ts': one },
    });
    const missing = await edge.admin('GET', '/diff/versions/1/diff');
    expect(missing).toMatchObject({ status: 404, body: { code: 'FUNCTION_VERSION_NOT_FOUND' } });
  });

  test('shares files with other functions', async () => {
    const main = `import { word } from '../_shared/word.ts'; Deno.serve(() => new Response(word));`;
    await edge.create('shared', {
      'index.ts': main,
      '../_shared/word.ts': `export const word = 'shared';`,
    });
    expect((await edge.call('shared')).text).toBe('shared');
  });

  test('of code that cannot run changes nothing, and says why', async () => {
    await edge.create('sound', saying('sound'));
    const reply = await edge.admin('PUT', '/sound', { files: { 'index.ts': `import './no.ts';` } });
    expect(reply).toMatchObject({ status: 400, body: { code: 'FUNCTION_REFUSED' } });
    expect(reply.text).toContain('no.ts');
    expect((await edge.call('sound')).text).toBe('sound');
    expect(await edge.list('/sound/versions', 'versions')).toHaveLength(1);
    const fresh = { slug: 'broken', files: { 'index.ts': 'this is no code' } };
    expect((await edge.admin('POST', '', fresh)).status).toBe(400);
    expect((await edge.admin('GET', '/broken')).status).toBe(404);
  });

  test('at the same time as another gets a version of its own', async () => {
    await edge.create('twice', saying('first'));
    const [a, b] = await Promise.all([
      edge.deploy('twice', saying('a')),
      edge.deploy('twice', saying('b')),
    ]);
    expect([a['activeVersion'], b['activeVersion']].toSorted()).toEqual([2, 3]);
    const [active] = (await edge.list('/twice/versions', 'versions')).filter(
      (each) => each['isActive'],
    );
    const text = a['activeVersion'] === active?.['version'] ? 'a' : 'b';
    expect((await edge.call('twice')).text).toBe(text);
  });

  test('of a function that was deleted before does not meet its code', async () => {
    await edge.create('again', saying('before'));
    expect((await edge.call('again')).text).toBe('before');
    expect((await edge.admin('DELETE', '/again')).status).toBe(204);
    expect((await edge.call('again')).status).toBe(404);
    expect(await edge.create('again', saying('after'))).toMatchObject({ activeVersion: 2 });
    expect((await edge.call('again')).text).toBe('after');
  });

  test('a changed route answers at once, and one that is taken is refused', async () => {
    await edge.create('mover', saying('mover'));
    await edge.asked('PATCH', '/mover', { route: 'moved/here' });
    expect((await edge.call('mover')).status).toBe(404);
    expect((await edge.call('moved/here')).text).toBe('mover');
    await edge.create('other', saying('other'));
    const taken = await edge.admin('PATCH', '/other', { route: 'moved/here' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'FUNCTION_ROUTE_TAKEN' } });
    const twice = await edge.admin('POST', '', { slug: 'mover', files: { 'index.ts': '' } });
    expect(twice).toMatchObject({ status: 409, body: { code: 'FUNCTION_EXISTS' } });
  });

  test('of a .zip answers with its files', async () => {
    const headers = { apikey: edge.project.secretKey, 'content-type': 'application/zip' };
    const zip = (method: string, below: string, body: Buffer) =>
      edge.project.send({ method, path: `/api/admin/functions${below}`, headers, body });
    const made = await zip('POST', '?slug=zipped&name=Zipped&isPublic=true', foreignZip);
    expect(made).toMatchObject({ status: 201, body: { name: 'Zipped', isPublic: true } });
    expect((await edge.call('zipped')).text).toBe('zipped');
    const main = { name: 'main.ts', content: saying('two') };
    const next = await zip('PUT', '/zipped?entrypoint=main.ts', writeZip([main]));
    expect(next).toMatchObject({ status: 200, body: { activeVersion: 2, isPublic: true } });
    expect((await edge.call('zipped')).text).toBe('two');
    const refused = [
      await zip('POST', '?slug=bad', writeZip([{ ...main, name: '../main.ts' }])),
      await zip('POST', '?slug=bad&slug=more', foreignZip),
      await zip('POST', '?slug=bad&size=1', foreignZip),
      await zip('POST', '', foreignZip),
      await zip('POST', '?slug=bad', Buffer.from('no archive')),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect((await edge.admin('GET', '/bad')).status).toBe(404);
  });

  test('puts no function in the place of one that is missing', async () => {
    const reply = await edge.admin('PUT', '/missing', { files: { 'index.ts': saying('x') } });
    expect(reply).toMatchObject({ status: 404, body: { code: 'EDGE_FUNCTION_NOT_FOUND' } });
  });

  test.each([
    { name: 'a slug with a capital letter', body: { slug: 'Hello' } },
    { name: 'a slug that is a word of the API', body: { slug: 'secrets' } },
    { name: 'a route that ends with a slash', body: { route: 'a/' } },
    { name: 'a path that leads out', body: { files: { '../../x.ts': '' } } },
    { name: 'a path that goes back', body: { files: { 'a/../index.ts': '' } } },
    { name: 'an absolute path', body: { files: { '/etc/passwd': '' } } },
    { name: 'no file', body: { files: {} } },
    { name: 'a file that is no text', body: { files: { 'index.ts': 1 } } },
    { name: 'an entrypoint that is missing', body: { entrypoint: 'main.ts' } },
    {
      name: 'a shared file as entrypoint',
      body: { entrypoint: '../x.ts', files: { '../x.ts': '' } },
    },
    { name: 'more than 5 MB', body: { files: { 'index.ts': 'x'.repeat(5 * 1024 * 1024 + 1) } } },
  ])('$name is refused', async ({ body }) => {
    const reply = await edge.admin('POST', '', {
      slug: 'refused',
      files: { 'index.ts': '' },
      ...body,
    });
    expect([reply.status, (await edge.admin('GET', '/refused')).status]).toEqual([400, 404]);
  });

  test('is for administrators, and for operators with secrets.manage', async () => {
    const user = await makeSignedIn(edge.project, 'user@example.org');
    const path = '/api/admin/functions';
    expect((await edge.project.as(user, { path })).status).toBe(403);
    const headers = operatorHeaders(deployment, edge.project, ['content.read', 'content.write']);
    expect((await edge.project.send({ path, headers })).status).toBe(200);
    for (const [method, below] of [
      ['POST', ''],
      ['PUT', '/x'],
      ['PUT', '/secrets'],
      ['POST', '/tokens'],
    ]) {
      const call = { method: String(method), path: `${path}${below}`, headers, body: {} };
      expect((await edge.project.send(call)).body).toMatchObject({ code: 'CAPABILITY_REQUIRED' });
    }
    expect((await edge.project.send({ path: `${path}/logs`, headers })).status).toBe(403);
  });
});

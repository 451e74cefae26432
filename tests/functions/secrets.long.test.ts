// Secrets of functions: what functions see, and that nothing else shows them.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asSuperuser, type Deployment } from '../support/deployment.js';
import { type EdgeProject, openEdgeProject, reading } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

describeWithDeno('a secret', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    ({ deployment, edge } = await openEdgeProject());
    await edge.create('reading', reading('WORD'));
    await edge.create('address', reading('SUPABASE_URL'));
  }, 60_000);
  afterAll(() => deployment.close());

  const word = async () => (await edge.call('reading')).text;

  test('is there at the next call, and gone at the one after it was deleted', async () => {
    expect(await word()).toBe('none');
    expect((await edge.call('address')).text).toContain(edge.project.ref);
    await edge.asked('PUT', '/secrets', { WORD: 'first', OTHER: 'x' });
    expect(await word()).toBe('first');
    await edge.asked('PUT', '/secrets', { WORD: 'second' });
    expect(await word()).toBe('second');
    await edge.asked('DELETE', '/secrets', { names: ['WORD'] });
    expect(await word()).toBe('none');
    expect(await edge.list('/secrets', 'secrets')).toEqual([
      { name: 'OTHER', updatedAt: expect.any(String) },
    ]);
  });

  test('is in no answer, not in the audit log, and sealed in the database', async () => {
    const value = 'a value that nothing shows';
    const replies = [
      await edge.admin('PUT', '/secrets', { HIDDEN: value }),
      await edge.admin('GET', '/secrets'),
      await edge.project.asService({ path: '/api/admin/audit?action=functionSecrets.*' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies.map(({ text }) => [text.includes('HIDDEN'), text.includes(value)])).toEqual(
      Array(3).fill([true, false]),
    );
    const rows = await asSuperuser('select value from platform.edge_function_secrets', {
      database: edge.project.database,
    });
    expect(JSON.stringify(rows)).not.toContain(value);
  });

  test('that cannot be opened is left out, and the others stay', async () => {
    await edge.asked('PUT', '/secrets', { WORD: 'kept', BROKEN: 'x' });
    await asSuperuser(
      `update platform.edge_function_secrets set value = 'v1.0.x' where name = 'BROKEN'`,
      { database: edge.project.database },
    );
    await edge.asked('PUT', '/secrets', { WORD: 'kept still' });
    expect(await word()).toBe('kept still');
  });

  test.each([
    { name: 'PATH', value: 'x' },
    { name: 'DENO_DIR', value: 'x' },
    { name: 'ld_preload', value: 'x' },
    { name: 'OTEL_DENO', value: 'x' },
    { name: 'ROWHOUSE_CALLER_KEY', value: 'x' },
    { name: 'SUPABASE_URL', value: 'x' },
    { name: '1ST', value: 'x' },
    { name: 'A-B', value: 'x' },
    { name: 'LONG', value: 'x'.repeat(24 * 1024 + 1) },
    { name: 'NUMBER', value: 1 },
    { name: 'NUL', value: 'a\u0000' },
  ])('$name is refused', async ({ name, value }) => {
    expect((await edge.admin('PUT', '/secrets', { [name]: value })).status).toBe(400);
  });

  test('the tables are closed to every role of requests, and to the owner', async () => {
    for (const table of [
      'edge_function_secrets',
      'edge_function_tokens',
      'edge_function_versions',
    ]) {
      await expect(edge.project.sql(`select * from platform.${table}`)).rejects.toThrow('42501');
    }
  });
});

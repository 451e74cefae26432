// Functions of a project decide how long their errors, notices and settings are. The server reads none that would
// keep it from the requests of others, and sends none on as a whole.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create function fail_with(bytes int) returns void language plpgsql as $$
      begin raise exception using errcode = 'PT400', message = repeat(chr(1), bytes),
        detail = repeat('d', bytes), hint = repeat('h', bytes); end $$;
    create function note(bytes int) returns void language plpgsql as $$
      begin raise info '%', repeat('n', bytes); end $$;
    create table owned (id text references auth."user" (id) on delete cascade);
    create function note_deletion() returns trigger language plpgsql as $$
      begin perform note(20 * 1024 * 1024); return null; end $$;
    create trigger note_deletion after delete on owned for each row execute function note_deletion();
  `);
});
afterAll(() => deployment.close());

const call = (name: string, bytes: number): Promise<Reply> =>
  project.send({
    method: 'POST',
    path: `/rest/v1/rpc/${name}`,
    headers: { apikey: project.publishableKey },
    body: { bytes },
  });

test('an error of 50 KB is told as it is, but for what would be longer', async () => {
  const short = await call('fail_with', 1000);
  expect(short.status).toBe(400);
  expect(short.body).toMatchObject({ message: '\u0001'.repeat(1000), hint: 'h'.repeat(1000) });
  const long = await call('fail_with', 80_000);
  expect(long.status).toBe(400);
  expect(long.body).toMatchObject({
    message: `${'\u0001'.repeat(64 * 1024)}…`,
    hint: `${'h'.repeat(64 * 1024)}…`,
    details: `${'d'.repeat(64 * 1024)}…`,
  });
});

test.each([1, 20])(
  'an error of %s MB is not read, and the next request is answered',
  async (mb) => {
    const reply = await call('fail_with', mb * 1024 * 1024);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      code: '54000',
      message: expect.stringContaining('not read'),
    });
    expect((await call('note', 10)).status).toBe(204);
  },
);

test.each([2, 20])(
  'a notice of %s MB ends the request, and the next one is answered',
  async (mb) => {
    const reply = await call('note', mb * 1024 * 1024);
    expect(reply.body).toMatchObject({ code: 'RESULT_TOO_LARGE' });
    expect((await call('note', 10)).status).toBe(204);
  },
);

test('a trigger that notes 20 MB while a user is deleted keeps that user, and nobody else waits', async () => {
  const { id } = await project.signUp('ada@example.org');
  await project.sql('insert into owned values ($1)', [id]);
  const reply = await project.asService({ method: 'DELETE', path: `/api/admin/users/${id}` });
  expect(reply.status).toBeGreaterThanOrEqual(500);
  expect(await project.sql('select count(*)::int as n from owned')).toEqual([{ n: 1 }]);
  await project.sql('drop trigger note_deletion on owned');
  const again = await project.asService({ method: 'DELETE', path: `/api/admin/users/${id}` });
  expect(again.status).toBeLessThan(300);
});

test('a script of the SQL editor that notes 20 MB is refused, and the next one runs', async () => {
  await expect(project.sql('select note(20 * 1024 * 1024)')).rejects.toThrow(/^\d+ /);
  expect(await project.sql('select 1 as n')).toEqual([{ n: 1 }]);
});

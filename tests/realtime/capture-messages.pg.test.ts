// Lines of the outbox that are no rows of tables: messages that SQL sends, and changes of accounts.
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CaptureFixture } from './capture-fixture.js';

let project: CaptureFixture;
let engine: Client;
beforeAll(async () => {
  project = await CaptureFixture.open();
  ({ engine } = project);
}, 60_000);
afterAll(() => project.close());

describe('realtime.send', () => {
  const message = (values: object) => ({
    kind: 'B',
    table: null,
    new: values,
    old: null,
    isCut: false,
  });

  test('writes a message, private unless it says otherwise', async () => {
    expect(
      await project.run(`select realtime.send('{"a": 1}', 'ping', 'room');
        select realtime.send(null, 'ping', 'room', false)`),
    ).toEqual([
      message({ topic: 'room', event: 'ping', payload: { a: 1 }, private: true }),
      message({ topic: 'room', event: 'ping', payload: null, private: false }),
    ]);
  });

  test('says nothing in a transaction that is rolled back', async () => {
    expect(await project.run(`begin; select realtime.send('1', 'ping', 'room'); rollback`)).toEqual(
      [],
    );
  });

  test.each([
    {
      name: 'no topic',
      call: `('1', 'ping', null)`,
      message: 'topic must have 1 to 255 characters',
    },
    {
      name: 'an empty topic',
      call: `('1', 'ping', '')`,
      message: 'topic must have 1 to 255 characters',
    },
    {
      name: 'a long topic',
      call: `('1', 'ping', repeat('x', 256))`,
      message: 'topic must have 1 to 255 characters',
    },
    {
      name: 'no event',
      call: `('1', null, 'room')`,
      message: 'event must have 1 to 255 characters',
    },
    {
      name: 'a long event',
      call: `('1', repeat('x', 256), 'room')`,
      message: 'event must have 1 to 255 characters',
    },
    {
      name: 'no word on private',
      call: `('1', 'ping', 'room', null)`,
      message: 'private must be true or false',
    },
    {
      name: 'a large payload',
      call: `(to_jsonb(repeat('x', 262143)), 'ping', 'room')`,
      message: 'payload must not be larger than 256 kB',
    },
  ])('refuses $name', async ({ call, message: text }) => {
    await project.lines();
    await expect(project.owner.query(`select realtime.send${call}`)).rejects.toMatchObject({
      code: '22023',
      message: text,
    });
    expect(await project.lines()).toEqual([]);
  });
});

describe('accounts', () => {
  const account = (user: string) => ({
    kind: 'A',
    table: null,
    new: { user },
    old: null,
    isCut: false,
  });
  beforeAll(async () => {
    await engine.query(`
      insert into auth."user" (id, email) values ('ada', 'a@example.test'), ('bob', 'b@example.test');
      insert into auth.organization (id, name, slug) values ('org', 'Org', 'org');
      insert into auth.team (id, name, "organizationId") values ('team', 'Team', 'org');`);
  });

  test.each([
    {
      name: 'a role that changes',
      script: `update auth."user" set role = 'ADMIN' where id = 'ada'`,
      users: ['ada'],
    },
    {
      name: 'a deactivation',
      script: `update auth."user" set status = 'deactivated' where id = 'ada'`,
      users: ['ada'],
    },
    {
      name: 'claims that change',
      script: `update auth."user" set app_metadata = '{"a": 1}' where id = 'ada'`,
      users: ['ada'],
    },
    {
      name: 'an image that changes',
      script: `update auth."user" set image = 'x' where id = 'ada'`,
      users: [],
    },
    {
      name: 'a sign-in',
      script: `insert into auth.session (id, "tokenHash", "userId", "expiresAt") values ('s', sha256('s'), 'ada', now() + interval '1 day')`,
      users: [],
    },
    {
      name: 'a session that lasts longer',
      script: `update auth.session set "expiresAt" = now() + interval '2 days' where id = 's'`,
      users: [],
    },
    {
      name: 'a session that ends earlier',
      script: `update auth.session set "expiresAt" = now() where id = 's'`,
      users: ['ada'],
    },
    {
      name: 'a second factor',
      script: `update auth.session set aal = 'aal2' where id = 's'`,
      users: ['ada'],
    },
    {
      name: 'another organization',
      script: `update auth.session set "activeOrganizationId" = 'org' where id = 's'`,
      users: ['ada'],
    },
    { name: 'a sign-out', script: `delete from auth.session where id = 's'`, users: ['ada'] },
    {
      name: 'a member that joins',
      script: `insert into auth.member (id, "organizationId", "userId", role) values ('m', 'org', 'bob', 'member')`,
      users: ['bob'],
    },
    {
      name: 'a member with another role',
      script: `update auth.member set role = 'admin' where id = 'm'`,
      users: ['bob'],
    },
    {
      name: 'a member that leaves',
      script: `delete from auth.member where id = 'm'`,
      users: ['bob'],
    },
    {
      name: 'a key that is used',
      script: `insert into auth.apikey (id, "configId", "referenceId", key, enabled, "createdAt", "updatedAt") values ('k', 'c', 'bob', 'hash', true, now(), now()); update auth.apikey set "requestCount" = 1`,
      users: [],
    },
    {
      name: 'a key that is switched off',
      script: `update auth.apikey set enabled = false`,
      users: ['bob'],
    },
    { name: 'a key that is deleted', script: `delete from auth.apikey`, users: ['bob'] },
  ])('$name', async ({ script, users }) => {
    await project.lines();
    await engine.query(script);
    expect(await project.lines()).toEqual(users.map(account));
  });
});

describe('realtime.messages', () => {
  test('takes policies of the owner and no rows', async () => {
    await project.owner.query(
      `create policy members on realtime.messages for select to authenticated using (realtime.topic() = 'room')`,
    );
    await expect(
      project.owner.query(
        `grant insert on realtime.messages to current_user;
          insert into realtime.messages (topic, extension) values ('room', 'broadcast')`,
      ),
    ).rejects.toMatchObject({ code: '42501', message: 'realtime.messages has no rows' });
  });

  test.each(['anon', 'authenticated', 'service_role'])('is closed to %s', async (role) => {
    const superuser = await project.connect('superuser');
    await superuser.query(`set role ${role}`);
    await expect(superuser.query('select from realtime.messages')).rejects.toMatchObject({
      code: '42501',
    });
  });
});

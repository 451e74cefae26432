// The sweep of messages: old ones go, and no value outlives its code.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { listOverdue, sweepMessages } from '#libs/project-runtime';

import { openAuthProject, type AuthProject } from '../auth-engine/auth-project.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject();
});
afterAll(() => project.close());

const db = () => ({
  async queryAsEngine<Row extends object>(text: string, values?: readonly unknown[]) {
    return (await project.pool.query<Row>(text, values && [...values])).rows;
  },
});

test('messages of 14 days stay, and the values of those that cannot be sent any more go', async () => {
  await project.sql(
    `insert into platform.messages
       (id, channel, kind, recipient, sealed_values, status, next_try_at, created_at, expires_at)
     select gen_random_uuid(), 'email', 'test', name, 'v1.x.y', status, now() - late, now() - age, now() + life
     from (values
       ('old', 'failed', interval '0', interval '15 days', null::interval),
       ('young', 'failed', interval '0', interval '13 days', null),
       ('expired', 'failed', interval '0', interval '1 day', interval '-1 minute'),
       ('alive', 'failed', interval '0', interval '1 day', interval '1 minute'),
       ('forgotten', 'queued', interval '11 minutes', interval '12 minutes', null),
       ('in hand', 'queued', interval '9 minutes', interval '12 minutes', null)
     ) as given (name, status, late, age, life)`,
  );
  expect(await sweepMessages(db(), 14)).toBe(1);
  const rows = await project.sql(
    `select recipient, sealed_values is not null as sealed from platform.messages order by recipient`,
  );
  expect(rows).toEqual([
    { recipient: 'alive', sealed: true },
    { recipient: 'expired', sealed: false },
    { recipient: 'forgotten', sealed: true },
    { recipient: 'in hand', sealed: true },
    { recipient: 'young', sealed: true },
  ]);
  const [forgotten] = await project.sql(
    `select id from platform.messages where recipient = 'forgotten'`,
  );
  expect(await listOverdue(db())).toEqual([forgotten?.['id']]);
});

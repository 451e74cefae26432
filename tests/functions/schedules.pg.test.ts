// Functions that are called at the times of a cron expression; schedules.long.test.ts waits for such a time.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import type { Deployment } from '../support/deployment.js';
import { type EdgeProject, openEdgeProject } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

describeWithDeno('a schedule', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    ({ deployment, edge } = await openEdgeProject());
    await edge.create(
      'report',
      `Deno.serve(async (request) => {
        const { status = 200 } = await request.json();
        return new Response(null, { status });
      });`,
    );
  }, 60_000);
  afterAll(() => deployment.close());

  const make = (fields: object) =>
    edge.asked('POST', '/schedules', {
      name: 'nightly',
      function: 'report',
      cron: '30 2 * * *',
      ...fields,
    });
  const runsOf = (id: unknown) => edge.list(`/schedules/${String(id)}/runs`, 'runs');

  test('says when it runs next, in its time zone', async () => {
    const { id, nextRunAt } = await make({ timeZone: 'Asia/Kolkata' });
    expect(new Date(String(nextRunAt)).toISOString()).toMatch(/T21:00:00.000Z$/);
    const off = await edge.asked('PATCH', `/schedules/${String(id)}`, { isActive: false });
    expect(off).toMatchObject({ cron: '30 2 * * *', nextRunAt: null });
    expect((await edge.admin('DELETE', `/schedules/${String(id)}`)).status).toBe(204);
    expect(await edge.list('/schedules', 'schedules')).toEqual([]);
  });

  test('runs now with its body, and keeps what came of it', async () => {
    const { id } = await make({ body: { status: 204 } });
    const { eventId } = await edge.asked('POST', `/schedules/${String(id)}/run`);
    await waitFor(async () => (await runsOf(id))[0]?.['status'] === 'succeeded');
    expect(await runsOf(id)).toMatchObject([
      { eventId, target: 'report', attempts: 1, responseStatus: 204, payload: { status: 204 } },
    ]);
    await edge.asked('PATCH', `/schedules/${String(id)}`, { body: { status: 500 } });
    await edge.asked('POST', `/schedules/${String(id)}/run`);
    await waitFor(async () => (await runsOf(id))[0]?.['status'] === 'dead');
    const [{ lastRun } = {}] = await edge.list('/schedules', 'schedules');
    expect(lastRun).toMatchObject({ status: 'dead' });
    await edge.admin('DELETE', `/schedules/${String(id)}`);
  });

  test.each([
    { rule: 'seconds', fields: { cron: '* * * * * *' }, field: 'cron', status: 400 },
    { rule: 'a month that is none', fields: { cron: '0 0 1 13 *' }, field: 'cron', status: 400 },
    { rule: 'no time', fields: { cron: '0 0 31 2 *' }, field: 'cron', status: 400 },
    { rule: 'an unknown zone', fields: { timeZone: 'Mars/Base' }, field: 'timeZone', status: 400 },
    { rule: 'an unknown function', fields: { function: 'none' }, field: 'none', status: 404 },
  ])('with $rule is refused', async ({ fields, field, status }) => {
    const body = { name: 'refused', function: 'report', cron: '0 3 * * *', ...fields };
    const reply = await edge.admin('POST', '/schedules', body);
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(field)]);
    expect(await edge.list('/schedules', 'schedules')).toEqual([]);
  });
});

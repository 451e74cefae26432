// A schedule where several processes serve the project: each of its times is one run.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { Deployment } from '../support/deployment.js';
import { EdgeProject, saying } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

const minute = 60_000;

describeWithDeno('in two processes', () => {
  let one: Deployment;
  let other: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    one = await Deployment.open();
    other = await Deployment.open({}, one);
    edge = new EdgeProject(await one.createProject());
    await edge.create('report', saying('done'));
  }, minute);
  afterAll(async () => {
    await other.stop();
    await one.close();
  }, minute);

  test(
    'a schedule runs once each minute',
    async () => {
      const fields = { name: 'often', function: 'report', cron: '* * * * *' };
      const { id } = await edge.asked('POST', '/schedules', fields);
      const runs = () => edge.list(`/schedules/${String(id)}/runs`, 'runs');
      await waitFor(async () => (await runs()).length >= 2, { ms: 3 * minute });
      await waitFor(async () => (await runs()).every(({ status }) => status === 'succeeded'));
      const minutes = (await runs()).map(({ createdAt }) => String(createdAt).slice(0, 16));
      expect(new Set(minutes).size).toBe(minutes.length);
    },
    4 * minute,
  );
});

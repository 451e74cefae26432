// Redocly's recommended rules find no error in the descriptions that the applications hand out.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeIf } from '#libs/testing';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { hasTools, reason, runTool, workFolder } from './tools.js';

describeIf(hasTools, reason)('the descriptions', () => {
  let deployment: Deployment;
  let project: ProjectUnderTest;

  beforeAll(async () => {
    deployment = await Deployment.shared();
    project = await deployment.createProject();
    await project.sql(`
      create table shops (id int primary key, name text not null);
      create table items (id int generated always as identity primary key, shop int references shops, tags text[]);
      create function count_items(shop int) returns bigint language sql stable as 'select count(*) from items';
    `);
  });
  afterAll(() => deployment.close());

  const documents = {
    project: () => project.send({ path: '/api/docs/json' }),
    console: () => deployment.console({ path: '/docs/json' }),
  };

  test.each(Object.entries(documents))('%s', { timeout: 120_000 }, async (name, read) => {
    const reply = await read();
    expect(reply.status).toBe(200);
    const cwd = await workFolder({ [`${name}.json`]: reply.text });
    const args = ['lint', `${name}.json`, '--extends', 'recommended', '--format', 'json'];
    const { output } = await runTool('redocly', args, { cwd });
    const report: unknown = JSON.parse(
      output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1),
    );
    expect(report).toMatchObject({ totals: { errors: 0 } });
  });
});

// A project key that is rotated works until its end, beside the new one, and not after.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

const expiresInSeconds = 3;
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql('create table notes (id int); alter table notes disable row level security');
});
afterAll(() => deployment.close());

const statusWith = async (apikey: string): Promise<number> =>
  (await project.send({ path: '/rest/v1/notes', headers: { apikey } })).status;

test.each(['publishable', 'secret'] as const)(
  'both %s keys work until the old one ends',
  async (kind) => {
    const old = kind === 'secret' ? project.secretKey : project.publishableKey;
    const path = `/platform/projects/${project.ref}/keys`;
    const body = { kind, expiresInSeconds };
    const rotated = await deployment.console({ method: 'POST', path: `${path}/rotate`, body });
    expect(rotated.status).toBe(201);
    const { key } = asRecord(rotated.body);
    const { keys } = asRecord((await deployment.console({ path })).body);
    const ends = Array.isArray(keys) ? keys.map(asRecord) : [];
    const end = ends.find((of) => of['kind'] === kind && of['expiresAt'] !== null);
    const endsAt = Date.parse(String(end?.['expiresAt']));
    const before: number[] = [];
    await waitFor(async () => {
      const status = await statusWith(old);
      // An answer that came before the end was certainly given before it.
      if (Date.now() < endsAt) before.push(status);
      return status !== 200;
    });
    expect(Date.now()).toBeGreaterThanOrEqual(endsAt);
    expect(before.length).toBeGreaterThan(0);
    expect(new Set(before)).toEqual(new Set([200]));
    expect(await statusWith(old)).toBe(401);
    expect(await statusWith(String(key))).toBe(200);
  },
);

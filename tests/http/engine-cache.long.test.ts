// More projects than the process keeps in memory: each answers by its own settings whenever it is visited, and
// only so many are live at any time.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { Deployment } from '../support/deployment.js';
import { heldProjects, makeVisited, storedLifetime, visit, type Visited } from '../soak/visit.js';

const maxLive = 8;
const projects = 40;

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let deployment: Deployment;
let visited: readonly Visited[];
beforeAll(async () => {
  deployment = await Deployment.open({ env: { MAX_LIVE_PROJECTS: String(maxLive) } });
  visited = await makeVisited(deployment, projects);
});
afterAll(() => deployment.close());

test('in turn, every project answers by its own settings, and no more are live than allowed', async () => {
  const held: number[] = [];
  for (const each of visited) {
    expect(await visit(each)).toBe(each.expiresIn);
    held.push((await heldProjects(deployment)).live);
  }
  expect(Math.max(...held)).toBe(maxLive);
});

test('settings that are saved while a project is live hold when it was closed and opened again', async () => {
  const [first, ...others] = visited;
  if (!first) throw new Error('there is no project');
  const body = { expiresIn: 200_000 };
  const path = '/api/admin/settings/auth.sessions';
  expect((await first.project.asService({ method: 'PUT', path, body })).status).toBe(200);
  for (const each of others.slice(0, maxLive)) await visit(each);
  expect(await visit(first)).toBe(200_000);
  expect(await storedLifetime(first)).toBe(200_000);
});

test('many at once all answer by their own settings, and the bound is kept afterwards', async () => {
  const some = visited.slice(1, 1 + 2 * maxLive);
  const lifetimes = await Promise.all(some.map(visit));
  expect(lifetimes).toEqual(some.map(({ expiresIn }) => expiresIn));
  // One that is opened now finds the others at rest.
  for (const each of visited.slice(-1)) await visit(each);
  await waitFor(async () => {
    const { live, draining } = await heldProjects(deployment);
    return live <= maxLive && draining === 0;
  });
});

test('a project that goes while it is in use finishes what was begun', async () => {
  const [busy, ...others] = visited.slice(20);
  if (!busy) throw new Error('there is no project');
  const running = Array.from({ length: 5 }, () => visit(busy));
  await Promise.all(others.slice(0, maxLive).map(visit));
  expect(await Promise.all(running)).toEqual(Array(5).fill(busy.expiresIn));
});

// Functions that take all they can: what one of them does stays with it.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import {
  describeWithDeno,
  type FixtureProject,
  type FunctionsFixture,
  openFixture,
  ordinaryLimits,
} from './functions-fixture.js';

const held = `Deno.serve((request) => {
  const url = new URL(request.url);
  if (url.pathname.endsWith('/quick')) return new Response('quick');
  console.log('held');
  return new Promise(() => {});
});`;

describeWithDeno('a function', () => {
  let fixture: FunctionsFixture;
  let project: FixtureProject;
  beforeEach(async () => {
    fixture = await openFixture({ maxProcesses: 2 });
    project = fixture.open();
  });
  afterEach(() => fixture.close());

  const isHeld = (count = 1) =>
    waitFor(() => project.logs.filter(({ message }) => message === 'held').length >= count);

  test.each([
    ['while it answers', `Deno.serve(() => { for (;;); });`],
    ['while it is loaded', `for (;;);`],
  ])('that computes without end is ended: %s', async (_name, code) => {
    project.limits = { ...ordinaryLimits, cpuSeconds: 1 };
    const version = await project.deploy('busy', code);
    await expect(project.call(version)).rejects.toMatchObject({ code: 'FUNCTION_TIMEOUT' });
    await waitFor(() => project.logs.some(({ message }) => message.includes('processor time')));
  });

  test.each([
    ['heap', `Deno.serve(() => { const all = []; for (;;) all.push(new Array(1e5).fill({})); });`],
    [
      'buffers',
      `Deno.serve(() => { const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1)); });`,
    ],
  ])('that takes all memory ends alone: %s', async (_name, code) => {
    project.limits = { ...ordinaryLimits, cpuSeconds: 20 };
    const version = await project.deploy('greedy', code);
    const outcome = await project.call(version).catch((error: unknown) => error);
    // Deno refuses a buffer, or the process ends.
    expect(outcome).toMatchObject({
      status: expect.toSatisfy((status) => [500, 502].includes(status)),
    });
    const next = await project.deploy('next', `Deno.serve(() => new Response('ok'));`);
    expect((await project.call(next)).text).toBe('ok');
  });

  test('gives its process to another when all are taken and it is idle', async () => {
    const other = fixture.open();
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((slug) => other.deploy(slug, held)));
    // Three versions were deployed.
    for (const version of [a!, b!, c!, a!]) {
      expect((await other.call(version, { path: '/quick' })).text).toBe('quick');
    }
    expect(other.invocations.map(({ isColdStart }) => isColdStart)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test('is refused when all processes are busy', async () => {
    const versions = await Promise.all(['a', 'b', 'c'].map((slug) => project.deploy(slug, held)));
    const client = new AbortController();
    const busy = versions
      .slice(0, 2)
      .map((version) => project.call(version, { signal: client.signal }).catch(() => 'left'));
    await isHeld(2);
    await expect(project.call(versions[2]!)).rejects.toMatchObject({
      code: 'FUNCTIONS_UNAVAILABLE',
      status: 503,
    });
    client.abort();
    expect(await Promise.all(busy)).toEqual(['left', 'left']);
  });
});

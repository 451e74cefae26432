// Projects in turn, more than are kept in memory: the memory of the process follows those that are kept, not
// those that were visited. `npm run soak -- --visit 1000` draws the curve for many.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import { type Memory, memoryNow } from './memory.js';
import { isLongVisit, visitedProjects } from './settings.js';
import { heldProjects, makeVisited, visit, type Visited } from './visit.js';

const rounds = 2;
const pointsOfRound = 20;
const msPerProject = 10_000;
/** What MAX_LIVE_PROJECTS is when nobody sets it; less for few projects, so that some must go. */
const maxLive = isLongVisit ? 200 : 2;

vi.setConfig({
  testTimeout: 120_000 + visitedProjects * msPerProject,
  hookTimeout: 120_000 + visitedProjects * msPerProject,
});

const say = (line: string) => {
  if (isLongVisit) process.stdout.write(`soak: ${line}\n`);
};

let deployment: Deployment;
let visited: readonly Visited[];
beforeAll(async () => {
  deployment = await Deployment.open({
    env: isLongVisit ? {} : { MAX_LIVE_PROJECTS: String(maxLive) },
  });
  visited = await makeVisited(deployment, visitedProjects, say);
});
afterAll(() => deployment.close());

test('a second round over all projects takes no more memory than the first', async () => {
  const step = Math.ceil(visited.length / pointsOfRound);
  const ends: Memory[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, each] of visited.entries()) {
      expect(await visit(each)).toBe(each.expiresIn);
      const isPoint = (index + 1) % step === 0 || index + 1 === visited.length;
      if (!isPoint) continue;
      const { live, draining } = await heldProjects(deployment);
      expect(live).toBeLessThanOrEqual(maxLive);
      const { heapMb, rssMb } = memoryNow();
      say(
        `round ${round}, ${index + 1} visited, ${live} live, ${draining} draining: ` +
          `heap ${heapMb} MB, process ${rssMb} MB`,
      );
    }
    ends.push(memoryNow());
  }
  const [first, second] = ends;
  // A project that stayed behind would cost some 400 KB; the code that was compiled meanwhile costs as well.
  const allowedMb = 10 + visited.length * 0.05;
  expect((second?.heapMb ?? 0) - (first?.heapMb ?? 0)).toBeLessThan(allowedMb);
});

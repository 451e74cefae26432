// The projects of a trial.
import { liftLimits } from '../soak/run-soak.js';
import type { ProjectUnderTest } from '../support/project.js';
import type { TrialDeployment } from './deployment.js';

export interface Fleet {
  readonly projects: readonly ProjectUnderTest[];
  readonly createdMs: readonly number[];
}

const notes = `create table notes (id text primary key, body text);
  create policy everybody on notes for select using (true);`;

/** Creates so many projects, one after the other: the time of one is measured. */
export async function createFleet(
  deployment: TrialDeployment,
  count: number,
  say: (line: string) => void,
): Promise<Fleet> {
  const projects: ProjectUnderTest[] = [];
  const createdMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const project = await deployment.createProject(`trial${String(index).padStart(4, '0')}`);
    createdMs.push(performance.now() - startedAt);
    await project.sql(notes);
    await liftLimits(project);
    projects.push(project);
    if (projects.length % 50 === 0) say(`${projects.length} projects created`);
  }
  return { projects, createdMs };
}

/** Calls `work` with each project, a few at a time. */
export async function forEachProject<Result>(
  projects: readonly ProjectUnderTest[],
  work: (project: ProjectUnderTest, index: number) => Promise<Result>,
  atATime = 8,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = projects.entries();
  const worker = async (): Promise<void> => {
    for (const [index, project] of queue) results[index] = await work(project, index);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return results;
}

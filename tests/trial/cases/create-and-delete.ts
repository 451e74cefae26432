// How long it takes to create and to delete a project, one at a time.
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, type Trial, type TrialCase } from '../case.js';
import type { TrialDeployment } from '../deployment.js';
import { quantile, shownMs } from '../figures.js';

const measured = 20;
const mostMs = 150;

export const createAndDelete: TrialCase = { name: 'create-and-delete', run };

async function run({ deployment, createdMs }: Trial): Promise<Outcome> {
  const found = new Findings();
  const deletedMs: number[] = [];
  for (let index = 0; index < measured; index += 1) {
    const { ref } = await projectInUse(deployment, `brief${index}`);
    const startedAt = performance.now();
    const reply = await deployment.requestDeletion(ref);
    deletedMs.push(performance.now() - startedAt);
    found.check(reply.status === 204, `a deletion was answered ${reply.status} ${reply.text}`);
  }
  const [created, deleted] = [quantile(createdMs, 0.5), quantile(deletedMs, 0.5)];
  found.check(created <= mostMs, `the p50 of a creation is ${shownMs(created)}`);
  found.check(deleted <= mostMs, `the p50 of a deletion is ${shownMs(deleted)}`);
  return found.outcome(
    `create p50 ${shownMs(created)} over ${createdMs.length}, delete p50 ${shownMs(deleted)} over ${deletedMs.length}`,
  );
}

/** A project with a table, which the server has open: its deletion ends connections. */
async function projectInUse(deployment: TrialDeployment, ref: string): Promise<ProjectUnderTest> {
  const project = await deployment.createProject(ref);
  await project.sql(`create table notes (id text primary key, body text);
    insert into notes select i, repeat('x', 100) from generate_series(1, 100) i`);
  return project;
}

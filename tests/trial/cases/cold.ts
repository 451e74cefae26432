// First requests of projects after a start: all at once, and one after the other.
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { counted, quantile, shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';
import type { ProjectUnderTest } from '../../support/project.js';

const path = '/rest/v1/notes?limit=1';
const firstRequestMs = 35;
/** The compiler of Node.js has seen the path by then, so that a first request measures the project. */
const warmUps = 300;

export const coldAtOnce: TrialCase = { name: 'cold-at-once', run: atOnce };
export const coldInTurn: TrialCase = { name: 'cold-in-turn', run: inTurn };

async function ask(project: ProjectUnderTest) {
  const startedAt = performance.now();
  const { status, text } = await project.send({ path });
  return { status, text, ms: performance.now() - startedAt };
}

async function atOnce({ deployment, projects }: Trial): Promise<Outcome> {
  const found = new Findings();
  await deployment.restart();
  const answers = await Promise.all(projects.map(ask));
  const refused = answers.filter(({ status }) => status !== 200);
  found.check(
    refused.length === 0,
    `${refused.length} of ${answers.length} were refused: ${counted(refused.map(({ text }) => text.slice(0, 200)))}`,
  );
  const times = answers.map(({ ms }) => ms);
  return found.outcome(
    `${answers.length} first requests at once: ${counted(answers.map(({ status }) => status))}; p50 ${shownMs(quantile(times, 0.5))}, the last after ${shownMs(Math.max(...times))}`,
  );
}

async function inTurn(trial: Trial): Promise<Outcome> {
  const found = new Findings();
  // A project that was in use before the restart: its description is stored.
  await forEachProject(trial.projects, ask);
  await trial.deployment.restart();
  for (let count = 0; count < warmUps; count += 1) await ask(projectAt(trial, 0));
  const times: number[] = [];
  for (const project of trial.projects.slice(1)) times.push((await ask(project)).ms);
  const p50 = quantile(times, 0.5);
  found.check(p50 <= firstRequestMs, `the p50 is ${shownMs(p50)}, more than ${firstRequestMs} ms`);
  return found.outcome(
    `${times.length} first requests in turn: p50 ${shownMs(p50)}, p99 ${shownMs(quantile(times, 0.99))}`,
  );
}

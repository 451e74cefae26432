// First requests of projects after a start: all at once, and one after the other.
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { counted, quantile, shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';
import type { ProjectUnderTest } from '../../support/project.js';

const path = '/rest/v1/notes?limit=1';
const firstRequestMs = 35;
/** The compiler of Node.js has seen the path by then, so that a first request measures the project. */
const warmUps = 300;
/** The default of MAX_LIVE_PROJECTS. A smaller fleet has a smaller limit, so that a third of it is above. */
const liveLimit = 200;
const belowShare = 2 / 3;

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
  const { deployment, projects } = trial;
  const found = new Findings();
  // A project that was in use before the restart: its description is stored.
  await forEachProject(projects, ask);
  const limit = Math.min(liveLimit, Math.floor(projects.length * belowShare));
  await deployment.restart({ MAX_LIVE_PROJECTS: String(limit) });
  for (let count = 0; count < warmUps; count += 1) await ask(projectAt(trial, 0));
  const times: number[] = [];
  for (const project of projects.slice(1)) times.push((await ask(project)).ms);
  await deployment.restart();
  // The first project is open already. Each one above the limit closes another one.
  const groups = [
    { name: 'below', ms: times.slice(0, limit - 1) },
    { name: 'above', ms: times.slice(limit - 1) },
  ];
  const shown = groups.map(({ name, ms }) => {
    const p50 = quantile(ms, 0.5);
    found.check(
      p50 <= firstRequestMs,
      `${name} the limit of ${limit} live projects the p50 is ${shownMs(p50)}, more than ${firstRequestMs} ms`,
    );
    return `${ms.length} ${name} the limit: p50 ${shownMs(p50)}, p99 ${shownMs(quantile(ms, 0.99))}`;
  });
  return found.outcome(`first requests in turn, ${limit} live projects: ${shown.join('; ')}`);
}

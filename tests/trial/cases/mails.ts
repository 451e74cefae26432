// Mails that were acknowledged arrive: after kill -9 of the server, and from a mail server that answers 451 at first.
import { Findings, type Outcome, type Trial, type TrialCase } from '../case.js';
import { shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';
import { waitFor } from '../wait.js';
import type { ProjectUnderTest } from '../../support/project.js';

const addressesPerProject = 4;
const mailProjects = 10;
const arriveMs = 180_000;

export const mailsAfterKill: TrialCase = {
  name: 'mails-after-kill',
  run: (trial) => mails(trial, 'killed', true),
};

export const mailsDeferred: TrialCase = {
  name: 'mails-deferred',
  run: (trial) => mails(trial, 'later', false),
};

async function mails(trial: Trial, word: string, isKilled: boolean): Promise<Outcome> {
  const { deployment, inbox } = trial;
  const found = new Findings();
  const deferredBefore = inbox.deferred;
  const asked = await forEachProject(trial.projects.slice(0, mailProjects), (project) =>
    askFor(project, word, found),
  );
  const addresses = asked.flat();
  const early = addresses.filter((address) => inbox.countOf(address) > 0).length;
  if (isKilled) {
    await deployment.kill();
    await deployment.start();
  }
  const missing = () => addresses.filter((address) => inbox.countOf(address) === 0);
  const until = 'every mail arrives';
  const tookMs = await waitFor(() => Promise.resolve(missing().length === 0), {
    ms: arriveMs,
    until,
  }).catch(() => arriveMs);
  const lost = missing();
  found.check(lost.length === 0, `${lost.length} mails did not arrive, such as ${lost[0]}`);
  const deferred = inbox.deferred - deferredBefore;
  if (!isKilled) found.check(deferred > 0, 'no mail was answered 451, so nothing was tried');
  const twice = addresses.filter((address) => inbox.countOf(address) > 1).length;
  const tried = isKilled ? `${early} arrived before the kill` : `${deferred} answered 451`;
  return found.outcome(
    `${addresses.length} mails acknowledged, ${tried}; all arrived after ${shownMs(tookMs)}, ${twice} twice`,
  );
}

/** Asks for links at once; returns the addresses whose request was acknowledged. */
async function askFor(
  project: ProjectUnderTest,
  word: string,
  found: Findings,
): Promise<readonly string[]> {
  const addresses = Array.from(
    { length: addressesPerProject },
    (_, index) => `${word}-${project.ref}-${index}@example.org`,
  );
  const replies = await Promise.all(addresses.map((address) => requestLink(project, address)));
  for (const { status, text } of replies) {
    found.check(status === 200, `a request for a mail was answered ${status} ${text}`);
  }
  return addresses.filter((_, index) => replies[index]?.status === 200);
}

/** Asks for a mail with a link to sign in. */
export function requestLink(project: ProjectUnderTest, email: string) {
  return project.send({ method: 'POST', path: '/api/auth/sign-in/magic-link', body: { email } });
}

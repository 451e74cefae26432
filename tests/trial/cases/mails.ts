// Mails that were acknowledged arrive: after kill -9 of the server, and from a mail server that answers 451 at first.
import { timeUntil } from '#libs/testing';
import { Findings, type Outcome, type Trial, type TrialCase } from '../case.js';
import { shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';
import { asRecord } from '../../support/deployment.js';
import type { ProjectUnderTest } from '../../support/project.js';

const addressesPerProject = 4;
const mailProjects = 10;
const operatorInvitations = 10;
const arriveMs = 180_000;

/** Asks for mails; returns the addresses whose request was acknowledged. */
type Ask = (trial: Trial, found: Findings) => Promise<readonly string[]>;

interface Fault {
  /** Whether the server is killed after the answers. */
  readonly isKilled: boolean;
  /** Whether the mail server answers 451 at first. */
  readonly isDeferred: boolean;
}

export const mailsAfterKill: TrialCase = {
  name: 'mails-after-kill',
  run: (trial) => mails(trial, asUsers('killed'), { isKilled: true, isDeferred: false }),
};

export const mailsDeferred: TrialCase = {
  name: 'mails-deferred',
  run: (trial) => mails(trial, asUsers('later'), { isKilled: false, isDeferred: true }),
};

export const invitedOperators: TrialCase = {
  name: 'invited-operators',
  run: (trial) => mails(trial, inviteOperators, { isKilled: true, isDeferred: true }),
};

async function mails(trial: Trial, ask: Ask, { isKilled, isDeferred }: Fault): Promise<Outcome> {
  const { deployment, inbox } = trial;
  const found = new Findings();
  const deferredBefore = inbox.deferred;
  const addresses = await ask(trial, found);
  const early = addresses.filter((address) => inbox.countOf(address) > 0).length;
  if (isKilled) {
    await deployment.kill();
    await deployment.start();
  }
  const missing = () => addresses.filter((address) => inbox.countOf(address) === 0);
  const until = 'every mail arrives';
  const tookMs = await timeUntil(() => Promise.resolve(missing().length === 0), {
    ms: arriveMs,
    until,
  }).catch(() => arriveMs);
  const lost = missing();
  found.check(lost.length === 0, `${lost.length} mails did not arrive, such as ${lost[0]}`);
  const deferred = inbox.deferred - deferredBefore;
  if (isDeferred) found.check(deferred > 0, 'no mail was answered 451, so nothing was tried');
  const twice = addresses.filter((address) => inbox.countOf(address) > 1).length;
  const tried = [
    ...(isKilled ? [`${early} arrived before the kill`] : []),
    ...(isDeferred ? [`${deferred} answered 451`] : []),
  ].join(', ');
  return found.outcome(
    `${addresses.length} mails acknowledged, ${tried}; all arrived after ${shownMs(tookMs)}, ${twice} twice`,
  );
}

/** Invites operators to the console at once. */
async function inviteOperators({ deployment }: Trial, found: Findings): Promise<readonly string[]> {
  const listed = await deployment.console({ path: '/platform/organizations' });
  const { organizations } = asRecord(listed.body);
  const organizationId = Array.isArray(organizations) ? asRecord(organizations[0])['id'] : '';
  const addresses = Array.from(
    { length: operatorInvitations },
    (_, index) => `later-operator-${index}@example.org`,
  );
  const replies = await Promise.all(
    addresses.map((email) =>
      deployment.console({
        method: 'POST',
        path: '/platform/operators/invitations',
        body: { email, organizationId, role: 'viewer' },
      }),
    ),
  );
  for (const { status, text } of replies) {
    found.check(status === 201, `an invitation was answered ${status} ${text}`);
  }
  return addresses.filter((_, index) => replies[index]?.status === 201);
}

function asUsers(word: string): Ask {
  return async ({ projects }, found) => {
    const asked = await forEachProject(projects.slice(0, mailProjects), (project) =>
      askFor(project, word, found),
    );
    return asked.flat();
  };
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

// The deployment's own mail server sends for the projects that its administrators allow, and for no other.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord, Deployment } from '../support/deployment.js';
import { openMailServer, type MailServer } from '../support/mail-server.js';
import { ProjectUnderTest } from '../support/project.js';
import { bearer } from '../support/replies.js';
import { outcomeOf, post, save } from './complete-project.js';

let mailServer: MailServer;
let deployment: Deployment;
let named: Deployment;
let listed: ProjectUnderTest;
let other: ProjectUnderTest;
/** Created by an operator who is no administrator of the deployment. */
let foreign: ProjectUnderTest;
beforeAll(async () => {
  mailServer = await openMailServer();
  deployment = await Deployment.open({ env: envOf(mailServer) });
  [listed, other] = [await deployment.createProject(), await deployment.createProject()];
});
afterAll(async () => {
  for (const { ref } of [listed, other, foreign]) {
    const path = `/platform/projects/${ref}`;
    await named.console({ method: 'DELETE', path, body: { ref } });
  }
  await named.close();
  await mailServer.close();
});

const envOf = ({ env }: MailServer) => ({ ...env, MAIL_INBOX: 'false' });
const askFor = (project: ProjectUnderTest, email: string) =>
  post(project, '/email-otp/send-verification-otp', { email, type: 'sign-in' });

/** An owner of an organization, who is no administrator of the deployment. */
let owner: { readonly token: string; readonly organizationId: string };

async function inviteOwner(): Promise<typeof owner> {
  const [email, password] = ['owner@example.org', 'correct horse battery'];
  const asAdmin = async (path: string, body: object) =>
    asRecord((await deployment.console({ method: 'POST', path, body })).body);
  const asStranger = async (path: string, body: object) => {
    const call = { method: 'POST', path, headers: { authorization: '' }, body };
    return asRecord((await deployment.console(call)).body);
  };
  const created = await asAdmin('/platform/organizations', { name: 'Foreign' });
  const organizationId = String(created['id']);
  const invitation = { organizationId, email, role: 'owner' };
  const { inviteUrl } = await asAdmin('/platform/operators/invitations', invitation);
  const token = String(inviteUrl).split('#token=')[1];
  await asStranger('/platform/operators/invitations/accept', { token, password, name: 'Owner' });
  const session = await asStranger('/platform/login', { email, password });
  return { token: String(session['token']), organizationId };
}

const createAsOwner = (of: Deployment, ref?: string) =>
  of.console({
    method: 'POST',
    path: '/platform/projects',
    headers: bearer(owner.token),
    body: { name: 'Foreign', organizationId: owner.organizationId, ref },
  });

async function createForeign(): Promise<ProjectUnderTest> {
  const created = await createAsOwner(deployment);
  expect({ status: created.status, text: created.text }).toMatchObject({ status: 201 });
  const { ref, publishableKey, secretKey, databaseUrl } = asRecord(created.body);
  return new ProjectUnderTest({
    ref: String(ref),
    apiOrigin: deployment.apiOrigin,
    publishableKey: String(publishableKey),
    secretKey: String(secretKey),
    databaseUrl: String(databaseUrl),
  });
}

/** Whether the project has a mail server. */
async function canMail(project: ProjectUnderTest): Promise<boolean> {
  const { body } = await project.asService({ path: '/api/admin/auth/status' });
  return asRecord(asRecord(body)['email.smtp'])['configured'] === true;
}

/**
 * Decides whether a project may send over the server of the deployment; null: no decision. Waits until the project has
 * learned whether it `can`.
 */
async function allow(
  project: ProjectUnderTest,
  sharedMailServer: boolean | null,
  can = sharedMailServer !== false,
): Promise<void> {
  const path = `/platform/projects/${project.ref}/limits`;
  const body = { storageBytes: null, sharedMailServer };
  const reply = await deployment.console({ method: 'PUT', path, body });
  expect(reply).toMatchObject({ status: 200, body: { sharedMailServer } });
  const until = 'the project has learned of it';
  await waitFor(async () => (await canMail(project)) === can, { until, ms: 20_000 });
}

test('by default the project of an administrator sends over it', async () => {
  expect(outcomeOf(await askFor(other, 'default@example.org'))).toBe('200');
  await mailServer.waitForMail('default@example.org');
});

test('by default the project of another operator does not, until an administrator allows it', async () => {
  owner = await inviteOwner();
  foreign = await createForeign();
  expect(outcomeOf(await askFor(foreign, 'early@example.org'))).toBe('503 EMAIL_NOT_CONFIGURED');
  await allow(foreign, true);
  expect(outcomeOf(await askFor(foreign, 'late@example.org'))).toBe('200');
  await mailServer.waitForMail('late@example.org');
  expect(mailServer.mailsTo('early@example.org')).toEqual([]);
});

test('without a decision of an administrator it does not again', async () => {
  await allow(foreign, null, false);
  expect(outcomeOf(await askFor(foreign, 'again@example.org'))).toBe('503 EMAIL_NOT_CONFIGURED');
  await allow(foreign, true);
});

test('an administrator refuses it for one project', async () => {
  await allow(other, false);
  expect(outcomeOf(await askFor(other, 'refused@example.org'))).toBe('503 EMAIL_NOT_CONFIGURED');
  await allow(other, null);
});

test('the operator names a project and starts the deployment again', async () => {
  // Its worker sends the mails, so no other one may run beside it.
  await deployment.stop();
  const env = { ...envOf(mailServer), SMTP_PROJECTS: `${listed.ref},announced` };
  named = await Deployment.open({ env, ground: deployment.ground });
});

test('where projects are named, a project that is named sends over it', async () => {
  expect(outcomeOf(await askFor(listed.through(named.apiOrigin), 'named@example.org'))).toBe('200');
  await mailServer.waitForMail('named@example.org');
});

test('only an administrator creates a project with a ref that is named', async () => {
  const refused = await createAsOwner(named, 'announced');
  expect(outcomeOf(refused)).toBe('400 INVALID_INPUT');
  expect(asRecord(refused.body)['message']).toContain('only an administrator of the deployment');
  const body = { name: 'Announced', organizationId: owner.organizationId, ref: 'announced' };
  const created = await named.console({ method: 'POST', path: '/platform/projects', body });
  expect(created).toMatchObject({ status: 201, body: { ref: 'announced' } });
  const path = '/platform/projects/announced';
  await named.console({ method: 'DELETE', path, body: { ref: 'announced' } });
});

test('a project that an administrator has allowed need not be named', async () => {
  const project = foreign.through(named.apiOrigin);
  expect(outcomeOf(await askFor(project, 'allowed@example.org'))).toBe('200');
  await mailServer.waitForMail('allowed@example.org');
});

test('a project that is not named has no mail server', async () => {
  const project = other.through(named.apiOrigin);
  const refused = await askFor(project, 'other@example.org');
  expect(outcomeOf(refused)).toBe('503 EMAIL_NOT_CONFIGURED');
  expect(await canMail(project)).toBe(false);
  const shown = await project.asService({ path: '/api/admin/settings/email.smtp' });
  expect(asRecord(shown.body)['host'] ?? null).toBeNull();
  expect(mailServer.mailsTo('other@example.org')).toEqual([]);
});

/** The outcome of a test mail, which the process that serves the project sends itself. */
async function testMail(to: string): Promise<string> {
  const path = '/api/admin/settings/email/test';
  const project = other.through(named.apiOrigin);
  return outcomeOf(await project.asService({ method: 'POST', path, body: { to } }));
}

test('nor does it reach that server by naming it in its own settings', async () => {
  const project = other.through(named.apiOrigin);
  const { host, port } = mailServer;
  await save(project, 'email.smtp', { host, port, secure: false, from: 'other@rowhouse.test' });
  expect(await testMail('x@example.org')).toBe('503 MAIL_UNREACHABLE');
  expect(mailServer.mailsTo('x@example.org')).toEqual([]);
});

test.each([
  { sharedMailServer: true, outcome: '200', name: 'reaches it when an administrator allows it' },
  {
    sharedMailServer: false,
    outcome: '503 MAIL_UNREACHABLE',
    name: 'leaves the connections to it when an administrator refuses it',
  },
])('it $name', async ({ sharedMailServer, outcome }) => {
  const path = `/platform/projects/${other.ref}/limits`;
  await named.console({ method: 'PUT', path, body: { sharedMailServer } });
  const until = 'the project has learned of it';
  await waitFor(async () => (await testMail('y@example.org')) === outcome, { until, ms: 20_000 });
});

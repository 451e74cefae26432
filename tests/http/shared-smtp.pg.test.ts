// The deployment's own mail server sends for the projects that its operator names, and for no other.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { openMailServer, type MailServer } from '../support/mail-server.js';
import type { ProjectUnderTest } from '../support/project.js';
import { outcomeOf, post, save } from './complete-project.js';

let mailServer: MailServer;
let deployment: Deployment;
let named: Deployment;
let listed: ProjectUnderTest;
let other: ProjectUnderTest;
beforeAll(async () => {
  mailServer = await openMailServer();
  deployment = await Deployment.open({ env: envOf(mailServer) });
  [listed, other] = [await deployment.createProject(), await deployment.createProject()];
});
afterAll(async () => {
  for (const { ref } of [listed, other]) {
    const path = `/platform/projects/${ref}`;
    await named.console({ method: 'DELETE', path, body: { ref } });
  }
  await named.close();
  await mailServer.close();
});

const envOf = ({ env }: MailServer) => ({ ...env, MAIL_INBOX: 'false' });
const askFor = (project: ProjectUnderTest, email: string) =>
  post(project, '/email-otp/send-verification-otp', { email, type: 'sign-in' });

test('by default every project sends over it', async () => {
  expect(outcomeOf(await askFor(other, 'default@example.org'))).toBe('200');
  await mailServer.waitForMail('default@example.org');
});

test('the operator names a project and starts the deployment again', async () => {
  // Its worker sends the mails, so no other one may run beside it.
  await deployment.leave();
  const env = { ...envOf(mailServer), SMTP_PROJECTS: listed.ref };
  named = await Deployment.open({ env, ground: deployment.ground });
});

test('where projects are named, a project that is named sends over it', async () => {
  expect(outcomeOf(await askFor(listed.through(named.apiOrigin), 'named@example.org'))).toBe('200');
  await mailServer.waitForMail('named@example.org');
});

test('a project that is not named has no mail server', async () => {
  const project = other.through(named.apiOrigin);
  const refused = await askFor(project, 'other@example.org');
  expect(outcomeOf(refused)).toBe('503 EMAIL_NOT_CONFIGURED');
  const shown = await project.asService({ path: '/api/admin/settings/email.smtp' });
  expect(asRecord(shown.body)['host'] ?? null).toBeNull();
  expect(mailServer.mailsTo('other@example.org')).toEqual([]);
});

test('nor does it reach that server by naming it in its own settings', async () => {
  const project = other.through(named.apiOrigin);
  const { host, port } = mailServer;
  await save(project, 'email.smtp', { host, port, secure: false, from: 'other@rowhouse.test' });
  const path = '/api/admin/settings/email/test';
  const reply = await project.asService({ method: 'POST', path, body: { to: 'x@example.org' } });
  expect(outcomeOf(reply)).toBe('503 MAIL_UNREACHABLE');
  expect(mailServer.mailsTo('x@example.org')).toEqual([]);
});

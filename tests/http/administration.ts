// Administration of a project's users as tests ask for it.
import { deriveKey, signAssertion } from '#libs/secrets';
import type { Capability } from '#libs/wire';

import type { Reply } from '../support/http.js';
import { asRecord, asSuperuser, type Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';

export const usersPath = '/api/admin/users';

/** Makes an account with the secret key and answers its id. */
export async function makeUser(
  project: ProjectUnderTest,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const reply = await project.asService({ method: 'POST', path: usersPath, body });
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return String(userIn(reply)['id']);
}

/** Makes an account with the usual password and signs it in. */
export async function makeSignedIn(
  project: ProjectUnderTest,
  email: string,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<SignedIn> {
  await makeUser(project, { email, password: userPassword, ...extra });
  return signIn(project, email, userPassword);
}

export async function signIn(
  project: ProjectUnderTest,
  email: string,
  password: string,
): Promise<SignedIn> {
  const reply = await trySignIn(project, email, password);
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  const { token } = asRecord(reply.body);
  const cookie = reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { id: String(userIn(reply)['id']), email, token: String(token), cookie };
}

export function trySignIn(
  project: ProjectUnderTest,
  email: string,
  password: string,
): Promise<Reply> {
  return project.send({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    body: { email, password },
  });
}

/** The user of an answer. */
export function userIn(reply: Reply): Record<string, unknown> {
  return asRecord(asRecord(reply.body)['user']);
}

/** Rows of a statement in the project's database, as the superuser sees them. */
export function rowsOf(
  project: ProjectUnderTest,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return asSuperuser(text, { database: project.database, values });
}

/** The audit entries about a target, the oldest first. */
export function auditOf(
  project: ProjectUnderTest,
  target: string,
): Promise<Record<string, unknown>[]> {
  return rowsOf(project, 'select * from platform.audit_log where target = $1 order by id', [
    target,
  ]);
}

/** The headers of an operator with these capabilities. */
export function operatorHeaders(
  deployment: Deployment,
  project: ProjectUnderTest,
  capabilities: readonly Capability[],
): Record<string, string> {
  const assertion = signAssertion(deriveKey(deployment.ground.masterKey, 'assertions'), {
    ref: project.ref,
    operatorId: 'operator-1',
    email: 'operator@example.org',
    capabilities,
    expiresAt: Math.floor(Date.now() / 1000) + 50,
  });
  return { 'x-rowhouse-operator': assertion };
}

// Further operators of a deployment under test, with the roles that a test gives them.
import type { Page } from 'playwright-core';

import { asRecord, type Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { signIn, type World } from './world.js';

export const colleaguePassword = 'a long password of a colleague';

interface Colleague {
  readonly email: string;
  readonly name?: string;
  readonly role?: string;
  readonly capabilities?: readonly string[];
  /** The whole organization unless it is given. */
  readonly projectRef?: string;
}

/** The id of the organization that a deployment begins with. */
export async function firstOrganization(deployment: Deployment): Promise<string> {
  const { body } = await deployment.console({ path: '/platform/organizations' });
  const [organization] = Object.values(asRecord(asRecord(body)['organizations']));
  return String(asRecord(organization)['id']);
}

/** Invites an operator and accepts; `viewer` in the first organization unless the rest says otherwise. Returns the id. */
export async function addColleague(
  deployment: Deployment,
  { email, name = '', role = 'viewer', ...rest }: Colleague,
): Promise<string> {
  const organizationId = await firstOrganization(deployment);
  const path = '/platform/operators/invitations';
  const body = { email, organizationId, role, ...rest };
  const invited = await expectDone(deployment.console({ method: 'POST', path, body }));
  const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
  const accepted = await expectDone(
    deployment.console({
      method: 'POST',
      path: `${path}/accept`,
      headers: { authorization: '' },
      body: { token, name, password: colleaguePassword },
    }),
  );
  return String(asRecord(accepted.body)['operatorId']);
}

/** A tab of a colleague, signed in, at a path. */
export async function openAs(world: World, email: string, path = '/projects'): Promise<Page> {
  const page = await world.open('/sign-in');
  await signIn(page, email, colleaguePassword);
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  if (path !== '/projects') await page.goto(world.origin + path);
  return page;
}

/** The answer of a request that has to succeed. */
export async function expectDone(asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked;
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}

import type { Page } from 'playwright-core';

import { asRecord } from '../support/deployment.js';
import { signIn, type World } from './world.js';

const password = 'a good long password';

/** A tab of a new operator who has these capabilities on a project and no others. */
export async function openWithCapabilities(
  world: World,
  projectRef: string,
  capabilities: readonly string[],
): Promise<Page> {
  const { deployment } = world;
  const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
  const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
  const email = `limited-${capabilities.join('-')}@rowhouse.test`;
  const organizationId = asRecord(organization)['id'];
  const body = { email, organizationId, role: 'custom', capabilities, projectRef };
  const path = '/platform/operators/invitations';
  const invited = await deployment.console({ method: 'POST', path, body });
  if (invited.status >= 300) throw new Error(invited.text);
  const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
  const accept = { method: 'POST', path: `${path}/accept`, headers: { authorization: '' } };
  await deployment.console({ ...accept, body: { token, password } });
  const page = await world.open('/sign-in');
  await signIn(page, email, password);
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  return page;
}

// A project whose settings are open in a browser, and what tests of them ask the server for.
import type { Locator, Page } from 'playwright-core';

import { asRecord, asSuperuser } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { openWorld, type World } from './world.js';

export interface SettingsWorld {
  readonly world: World;
  readonly ref: string;
  readonly page: Page;
  /** Goes to the settings, and to a part of them: `/auth.sessions?tab=History`. */
  open(part?: string): Promise<unknown>;
  dialog(): Locator;
  button(name: string | RegExp): Locator;
  copied(): Promise<string>;
  /** Sends a request about a group to the project. */
  settings(method: string, group: string, body?: object): Promise<Reply>;
  valuesOf(group: string): Promise<Record<string, unknown>>;
  /** Runs a statement in the database of the project, as the superuser. */
  sql(text: string): Promise<unknown>;
  /** Saves what the form has, which the server accepts. */
  save(): Promise<void>;
  /** Makes an operator with some capabilities on the project. */
  addOperator(email: string, password: string, capabilities: readonly string[]): Promise<void>;
}

/** Opens it. `env` has further variables of the deployment. */
export async function openSettings(
  env: Readonly<Record<string, string>> = {},
): Promise<SettingsWorld> {
  const world = await openWorld(env);
  const { deployment, origin } = world;
  const ref = await world.addProject('Bookshop');
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await world.openSignedIn('/projects', { permissions });
  const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const settings = (method: string, group: string, body?: object) =>
    deployment.console({
      method,
      path: `/platform/projects/${ref}/api/admin/settings/${group}`,
      ...(body && { body }),
    });
  return {
    world,
    ref,
    page,
    open: (part = '') => page.goto(`${origin}/projects/${ref}/settings${part}`),
    dialog,
    button,
    copied: () => page.evaluate<string>('navigator.clipboard.readText()'),
    settings,
    valuesOf: async (group) => asRecord((await settings('GET', group)).body),
    async sql(text) {
      const [row] = await asSuperuser(`select database_id from project where ref = '${ref}'`, {
        database: deployment.ground.databaseName,
      });
      return asSuperuser(text, { database: `p_${String(row?.['database_id'])}` });
    },
    async save() {
      await button('Review and save').click();
      await dialog().getByRole('button', { name: 'Save', exact: true }).click();
      await dialog().waitFor({ state: 'detached' });
    },
    async addOperator(email, password, capabilities) {
      const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
      const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
      const path = '/platform/operators/invitations';
      const organizationId = asRecord(organization)['id'];
      const invited = await deployment.console({
        method: 'POST',
        path,
        body: { email, organizationId, role: 'custom', capabilities, projectRef: ref },
      });
      const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
      const accepted = await deployment.console({
        method: 'POST',
        path: `${path}/accept`,
        headers: { authorization: '' },
        body: { token, password },
      });
      if (accepted.status >= 300) throw new Error(accepted.text);
    },
  };
}

// A project whose files are open in a browser, and what tests of them ask the server for.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';

import { asRecord } from '../support/deployment.js';
import { type Reply, send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openWorld, signIn, type World } from './world.js';

export interface FilesWorld {
  readonly world: World;
  readonly project: ProjectUnderTest;
  readonly page: Page;
  /** Goes to the screen: `?bucket=pictures`. */
  readonly go: (query?: string) => Promise<unknown>;
  readonly dialog: () => Locator;
  readonly button: (name: string | RegExp) => Locator;
  /** The row of a folder or file, by a part of its text. */
  readonly row: (name: string) => Locator;
  /** Opens the menu of an entry and chooses an action. */
  readonly act: (name: string, action: string) => Promise<void>;
  readonly copied: () => Promise<string>;
  /** A request to a route of the project, through the console. */
  readonly api: (method: string, path: string, body?: unknown) => Promise<Reply>;
  readonly makeBucket: (slug: string, fields?: object) => Promise<void>;
  /** Uploads a file through the console; returns its id. */
  readonly put: (
    bucket: string,
    key: string,
    content: Buffer | string,
    type?: string,
  ) => Promise<string>;
  /** The text of a file; undefined if there is none. */
  readonly contentOf: (bucket: string, key: string) => Promise<string | undefined>;
  /** A tab of an operator who has one role on the project. */
  readonly openAs: (role: string, options?: BrowserContextOptions) => Promise<Page>;
}

const password = 'a long password of another operator';

export async function openFiles(env: Readonly<Record<string, string>> = {}): Promise<FilesWorld> {
  const world = await openWorld(env);
  const { deployment, origin } = world;
  const project = await deployment.createProject();
  const { ref } = project;
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await world.openSignedIn(`/projects/${ref}/files`, { permissions });
  const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const row = (name: string): Locator =>
    page
      .getByRole('table', { name: 'Folders and files' })
      .getByRole('row')
      .filter({ hasText: name });
  const api = (method: string, path: string, body?: unknown): Promise<Reply> =>
    deployment.console({
      method,
      path: `/platform/projects/${ref}/api${path}`,
      ...(body !== undefined && { body }),
    });
  const pathOf = (bucket: string, key: string): string =>
    `/files/object/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  return {
    world,
    project,
    page,
    go: (query = '') => page.goto(`${origin}/projects/${ref}/files${query}`),
    dialog,
    button: (name) => page.getByRole('button', { name, exact: typeof name === 'string' }),
    row,
    async act(name, action) {
      await row(name)
        .getByRole('button', { name: /^Actions on/ })
        .click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    },
    copied: () => page.evaluate<string>('navigator.clipboard.readText()'),
    api,
    async makeBucket(slug, fields = {}) {
      const reply = await api('POST', '/admin/storage/buckets', { slug, ...fields });
      if (reply.status !== 201) throw new Error(reply.text);
    },
    async put(bucket, key, content, type = 'text/plain') {
      const body = Buffer.from(content);
      const reply = await deployment.console({
        method: 'PUT',
        path: `/platform/projects/${ref}/api${pathOf(bucket, key)}`,
        headers: { 'content-type': type, 'content-length': String(body.length) },
        body,
      });
      if (reply.status !== 201) throw new Error(reply.text);
      return String(asRecord(asRecord(reply.body)['data'])['id']);
    },
    async contentOf(bucket, key) {
      const reply = await api('GET', pathOf(bucket, key));
      return reply.status === 200 ? reply.text : undefined;
    },
    async openAs(role, options = {}) {
      const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
      const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
      const email = `${role}@rowhouse.test`;
      const path = '/platform/operators/invitations';
      const organizationId = asRecord(organization)['id'];
      const body = { email, organizationId, role, projectRef: ref };
      const invited = await deployment.console({ method: 'POST', path, body });
      const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
      const accepted = await send(deployment.consoleOrigin, {
        method: 'POST',
        path: `${path}/accept`,
        body: { token, password },
      });
      if (accepted.status >= 300) throw new Error(accepted.text);
      const other = await world.open('/sign-in', options);
      await signIn(other, email, password);
      await other.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
      return other;
    },
  };
}

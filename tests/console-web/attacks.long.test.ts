// What an attacker may try through the pages of the console: stored script, frames, other origins, links with tokens,
// and operators who may do less than the page could offer.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { openWorld, signIn, tokenOf, type World } from './world.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const scripts = [
  `<img src=x onerror="window.hacked=1">`,
  `<script>window.hacked=1</script>`,
  `"><svg onload=window.hacked=1>`,
  `javascript:window.hacked=1`,
];
const password = 'a good long password';

describeWithBrowser('an attack', () => {
  let world: World;
  let foreign: Server;
  let foreignOrigin: string;
  let foreignPage = '';
  beforeAll(async () => {
    world = await openWorld();
    foreign = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(foreignPage);
    });
    await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done));
    foreignOrigin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`; // It listens on a port.
  });
  afterAll(async () => {
    foreign.close();
    await world.close();
  });
  afterEach(() => world.expectNoFindings());

  const hacked = (page: Page) => page.evaluate<unknown>('window.hacked');

  test('by a script in the name of a project runs nothing, wherever the name is shown', async () => {
    const name = scripts.join('').slice(0, 80);
    for (const script of scripts) await world.addProject(script);
    const ref = await world.addProject(name);
    const page = await world.openSignedIn(`/projects?open=${ref}`);
    /** Leaves a page on which nothing has run. */
    const goTo = async (path: string): Promise<void> => {
      expect(await hacked(page)).toBeUndefined();
      await page.goto(world.origin + path);
    };
    await page.getByRole('dialog').getByRole('heading', { name }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByLabel('Type the name').waitFor();
    await goTo(`/projects/${ref}?dialog=connect`);
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: `Connect to ${name}` })
      .waitFor();
    await goTo('/projects?view=grid');
    await page.getByRole('link', { name }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').pressSequentially('window.hacked');
    await page.getByRole('option').first().waitFor();
    await goTo('/projects');
    await page.getByRole('row').filter({ hasText: name }).waitFor();
    await page.getByRole('button', { name: `Actions on ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByText(`${name} is paused`).first().waitFor();
    expect(await hacked(page)).toBeUndefined();
  });

  test.each([
    `/projects?q=${encodeURIComponent(scripts[0] ?? '')}`,
    `/projects?open=${encodeURIComponent(scripts[1] ?? '')}&organization=%22%3E%3Cscript%3E`,
    `/invitation#token=${encodeURIComponent(scripts[0] ?? '')}`,
  ])('by a script in the address runs nothing: %s', async (path) => {
    const page = await world.openSignedIn();
    await page.goto(world.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await hacked(page)).toBeUndefined();
  });

  test('by a frame shows nothing of the console', async () => {
    foreignPage = `<iframe src="${world.origin}/sign-in"></iframe>`;
    const page = await (await world.browser.newPerson()).newPage();
    const refused = page.waitForEvent('console', (message) =>
      message.text().includes('frame-ancestors'),
    );
    await page.goto(foreignOrigin);
    await Promise.resolve(refused);
    const [, frame] = page.frames();
    expect(await frame?.getByLabel('Email address').count()).toBe(0);
  });

  test('by a page of another origin reads nothing', async () => {
    const signedIn = await world.openSignedIn();
    const token = await tokenOf(signedIn);
    foreignPage = '<h1>foreign</h1>';
    const page = await signedIn.context().newPage();
    await page.goto(foreignOrigin);
    const read = await page.evaluate<string>(
      `fetch('${world.origin}/platform/projects', { headers: { authorization: 'Bearer ${token}' } })
        .then((reply) => reply.text(), (error) => error.name)`,
    );
    expect(read).toBe('TypeError');
  });

  test('by a link with a token in its address signs no one in', async () => {
    const signedIn = await world.openSignedIn();
    const token = await tokenOf(signedIn);
    const page = await world.open(`/projects?token=${token}#token=${token}`);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  });

  test('an operator of one project sees it alone, and no action that is refused', async () => {
    const { deployment } = world;
    const ref = await world.addProject('Shown');
    const other = await world.addProject('Hidden');
    const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
    const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
    const email = 'viewer@rowhouse.test';
    const invited = await deployment.console({
      method: 'POST',
      path: '/platform/operators/invitations',
      body: {
        email,
        organizationId: asRecord(organization)['id'],
        role: 'viewer',
        projectRef: ref,
      },
    });
    const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
    const accept = '/platform/operators/invitations/accept';
    const headers = { authorization: '' };
    await deployment.console({ method: 'POST', path: accept, headers, body: { token, password } });
    const page = await world.open('/sign-in');
    await signIn(page, email, password);
    await page.getByRole('row').filter({ hasText: 'Shown' }).waitFor();
    expect(await page.getByRole('link', { name: 'Hidden' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0);
    const read = page.waitForResponse(`**/platform/projects/${ref}`);
    await page.getByRole('button', { name: 'Actions on Shown' }).click();
    await read;
    await page.getByRole('menuitem', { name: 'Copy the URL' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Pause' }).count()).toBe(0);
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').pressSequentially('shown');
    await page.getByRole('option', { name: 'Shown' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('pause');
    await page.getByText('Nothing has this name.').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await page.goto(`${world.origin}/projects/${ref}?dialog=connect`);
    await page.getByText('Keys and passwords are shown to operators').first().waitFor();
    expect(await page.getByRole('button', { name: /key$/ }).count()).toBe(0);
    await page.goto(`${world.origin}/projects/${other}`);
    await page.getByRole('alert').getByText('Request').waitFor();
    // What the page does not offer, the server refuses: also for a project of others.
    await page.goto(`${world.origin}/projects?dialog=create&open=${other}`);
    await page.getByRole('row').filter({ hasText: 'Shown' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    const status = (of: string) =>
      page.evaluate<number>(
        `fetch('/platform/projects/${of}/pause', { method: 'POST', headers: { authorization:
          'Bearer ' + JSON.parse(sessionStorage.getItem('rowhouse.session')).token } }).then((reply) => reply.status)`,
      );
    expect(await status(ref)).toBe(403);
    expect(await status(other)).toBe(404);
  });

  test('no page asks another host for anything', async () => {
    const page = await world.openSignedIn();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    for (const path of ['/projects', '/account', '/projects?view=grid']) {
      await page.goto(world.origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    expect([...hosts]).toEqual([world.origin]);
  });
});

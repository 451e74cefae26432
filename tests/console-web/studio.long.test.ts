// The screens of a project in its studio: what an administrator does on each, that every request is one to the project,
// and that nothing of the platform is offered.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { rowsOf } from '../http/administration.js';
import { describeWithBrowser } from '../support/browser.js';
import { expectAccessible } from './accessible.js';
import { adminEmail, Studio } from './studio-world.js';
import { openWorld, tokenOf, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };
const script = '<img src=x onerror="window.hacked=1">';

describeWithBrowser('the studio of a project', () => {
  let world: World;
  let studio: Studio;
  let page: Page;
  /** The paths of the requests since the last call, without the files of the pages. */
  const requests: string[] = [];
  beforeAll(async () => {
    world = await openWorld();
    studio = await Studio.open(world);
    await studio.project.sql(`
      create table notes (id int primary key, text text);
      insert into notes values (1, 'hidden by policies'), (2, '${script}')`);
    const name = { name: script, email: 'script@example.org' };
    await studio.ask({ method: 'POST', path: '/api/admin/users', body: name });
    page = await studio.enter('', { permissions: ['clipboard-read', 'clipboard-write'] });
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    page.on('response', (reply) => {
      const isPage = reply.request().isNavigationRequest();
      if (reply.status() === 404 && !isPage) requests.push(`404 ${reply.url()}`);
    });
    await page.getByRole('heading', { name: `Test ${studio.project.ref}`, level: 1 }).waitFor();
  });
  afterAll(() => world.close());
  afterEach(async () => {
    world.expectNoFindings();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const foreign = requests.splice(0).filter((path) => !/^\/(?:studio|api|auth)\//.test(path));
    expect(foreign).toEqual([]);
  });

  const go = (path: string) => page.goto(`${studio.origin}/studio${path}`);
  const open = (screen: string) =>
    page
      .getByRole('navigation', { name: 'Screens of the project' })
      .getByRole('link', { name: screen, exact: true })
      .click();
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');

  test('runs its own scripts, and none from elsewhere on the host', async () => {
    const { project, origin } = studio;
    await studio.ask({
      method: 'POST',
      path: '/api/admin/storage/buckets',
      body: { slug: 'scripts', public: true },
    });
    await project.asService({
      method: 'PUT',
      path: '/api/files/object/scripts/own.js',
      headers: { 'content-type': 'text/javascript' },
      body: 'window.hacked = 1;',
    });
    const person = await world.browser.newPerson();
    const visit = await person.newPage();
    await visit.goto(`${origin}/studio/sign-in`);
    await visit.getByLabel('Password', { exact: true }).waitFor();
    const outcomeOf = (path: string) =>
      visit.evaluate<string>(`new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective), { once: true });
        const script = document.createElement('script');
        script.type = 'module';
        script.src = ${JSON.stringify(path)};
        script.addEventListener('load', () => resolve('loaded'));
        script.addEventListener('error', () => setTimeout(() => resolve('not loaded'), 500));
        document.head.append(script);
      })`);
    expect(await outcomeOf('/api/files/object/scripts/own.js')).toBe('script-src-elem');
    expect(await outcomeOf('/studio/../api/health-check')).toBe('script-src-elem');
    const own = await visit.evaluate<string>(`document.querySelector('script[src]').src`);
    expect(await outcomeOf(`${own}?again`)).toBe('loaded');
    expect(await visit.evaluate('window.hacked')).toBeUndefined();
    await person.close();
  });

  test('begins with the home of the project, and offers nothing of the platform', async () => {
    await page.getByText(studio.project.ref, { exact: true }).waitFor();
    await page.getByText('Mails are sent by a mail server').waitFor();
    await page.getByText('No request, mail, SMS or hook has failed.').waitFor();
    expect(await page.getByRole('textbox', { name: 'URL' }).textContent()).toBe(studio.origin);
    expect(await page.getByRole('navigation', { name: 'Way back' }).count()).toBe(0);
    for (const name of ['Projects', 'Pause', 'Delete…', 'New project']) {
      expect(await page.getByText(name, { exact: true }).count()).toBe(0);
    }
    await expectAccessible(page, 'the home of the studio');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('dialog').getByText('in the console of the deployment').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  });

  test('shows and changes all rows of a table, past the policies', async () => {
    await open('Tables');
    await page.getByRole('link', { name: 'notes' }).click();
    await page.getByText('hidden by policies').waitFor();
    await page.getByText(script).first().waitFor();
    expect(page.url()).toContain('/studio/tables?');
    await page.getByRole('gridcell', { name: 'hidden by policies', exact: true }).click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('changed in the studio');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => studio.project.sql('select text from notes where id = 1'), wait)
      .toEqual([{ text: 'changed in the studio' }]);
    const [entry] = await rowsOf(
      studio.project,
      `select actor_email from platform.audit_log where action = 'rows.change'`,
    );
    expect(entry).toEqual({ actor_email: adminEmail });
  });

  test('shows the rows that a visitor sees, with an entry in the audit log', async () => {
    await page.getByRole('button', { name: 'View as' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'A visitor (anon)' }).click();
    await page.getByRole('button', { name: 'Back to all rows' }).waitFor();
    expect(await page.getByText('changed in the studio').count()).toBe(0);
    await expect
      .poll(
        () =>
          rowsOf(
            studio.project,
            `select distinct actor_email, after from platform.audit_log where action = 'request.act-as'`,
          ),
        wait,
      )
      .toEqual([{ actor_email: adminEmail, after: { role: 'anon' } }]);
  });

  test('copies requests that work as they are', async () => {
    await go('/tables?table=notes');
    await page.getByText('changed in the studio').waitFor();
    await page
      .getByRole('button', { name: /Copy as curl/ })
      .first()
      .click();
    await expect.poll(copied, wait).toContain(`${studio.origin}/api/rest/v1/notes`);
    const command = await copied();
    expect(command).toContain(`x-act-as: service_role`);
    expect(command).toContain('$ADMIN');
    expect(command).not.toContain('/platform/');
    expect(command).not.toContain(await tokenOf(page));
  });

  test('has the structure, SQL and the policies', async () => {
    await open('Structure');
    await page.getByText('notes', { exact: true }).first().waitFor();
    expect(page.url()).toContain('/studio/structure');
    await open('SQL');
    const text = page.locator('.cm-content');
    await text.fill('select current_user, 6 * 7 as answer');
    await text.press('Control+Enter');
    await page.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await open('Policies');
    await page.getByText('notes').first().waitFor();
    await heading('Policies');
  });

  test('has the users and the settings', async () => {
    await open('Users');
    await page.getByRole('row').filter({ hasText: adminEmail }).waitFor();
    await page.getByRole('row').filter({ hasText: script }).waitFor();
    await open('Settings');
    await heading('Settings');
    await go('/settings/auth.sessions');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    expect(await page.getByText('Page not found').count()).toBe(0);
  });

  test.each([
    ['Diagram', 'Relations'],
    ['Files', 'Files'],
    ['Realtime', 'Join a channel'],
    ['API', 'notes'],
    ['Audit', 'rows.change'],
  ])('has the screen %s', async (screen, content) => {
    await open(screen);
    await page.locator('main').getByText(content, { exact: true }).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('takes files', async () => {
    const body = { slug: 'photos', name: 'Photos' };
    await studio.ask({ method: 'POST', path: '/api/admin/storage/buckets', body });
    await go('/files?bucket=photos');
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('taken') };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText('1 file uploaded', { exact: true }).waitFor();
    const path = '/api/files/object/photos/a.txt';
    expect((await studio.ask({ path })).text).toBe('taken');
  });

  test('finds screens by typing, and has no command of the platform', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Tables' }).waitFor();
    expect(await page.getByRole('option', { name: /project/i }).count()).toBe(0);
    await page.keyboard.type('policies');
    await page.keyboard.press('Enter');
    await heading('Policies');
    expect(page.url()).toMatch(/\/studio\/policies$/);
  });

  test.each([
    '/projects',
    '/projects/other/tables',
    '/invitation',
    '/keys',
    '/domains',
    '/nowhere',
  ])('has no page of the console: %s', async (path) => {
    await go(path);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the home of the project' }).click();
    await page.getByRole('button', { name: 'Connect' }).waitFor();
    expect(page.url()).toBe(`${studio.origin}/studio/`);
  });

  test('has the name of the project as a text, whatever is in it', async () => {
    const { ref } = studio.project;
    await world.deployment.console({
      method: 'PATCH',
      path: `/platform/projects/${ref}`,
      body: { name: script },
    });
    await go('/');
    // The project learns its name with the next signal; the page reads it again by itself.
    await page.getByRole('heading', { name: script, level: 1 }).waitFor({ timeout: 60_000 });
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
  });

  test('cannot be shown in a frame', async () => {
    const framed = await (await world.browser.newPerson()).newPage();
    const refused = framed.waitForEvent('console', (message) =>
      message.text().includes('frame-ancestors'),
    );
    await framed.goto(`${world.origin}/docs`);
    await framed.setContent(`<iframe src="${studio.origin}/studio"></iframe>`);
    await refused;
    const [, frame] = framed.frames();
    expect(await frame?.getByLabel('Email address').count()).toBe(0);
  });
});

// The pending invitations to an organization in its details: who is invited and by whom, and their cancellation.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { makeSignedIn, rowsOf } from '../http/administration.js';
import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bearer } from '../support/replies.js';
import { expectAccessible } from './accessible.js';
import { holdAnswers } from './hold-answers.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };
const perPage = 50;

describeWithBrowser('the invitations to an organization', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  let ada: SignedIn;
  let works: string;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    ada = await makeSignedIn(project, 'ada@example.org');
    works = await asAda('create', { name: 'Works', slug: 'works' });
    page = await world.openSignedIn('/projects', { viewport: { width: 1280, height: 900 } });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  /** The id of what the first owner has made. */
  const asAda = async (operation: string, body: object): Promise<string> => {
    const path = `/api/auth/organization/${operation}`;
    const reply = await project.send({ method: 'POST', path, headers: bearer(ada.token), body });
    if (reply.status >= 300) throw new Error(reply.text);
    return String(asRecord(reply.body)['id']);
  };
  const invite = (email: string, role = 'member') =>
    asAda('invite-member', { organizationId: works, email, role });
  const statusOf = async (email: string) => {
    const text = 'select status from auth.invitation where email = $1';
    return (await rowsOf(project, text, [email])).map(({ status }) => status);
  };
  const go = (query = '') =>
    page.goto(`${world.origin}/projects/${project.ref}/organizations?open=${works}${query}`);
  const dialog = () => page.getByRole('dialog');
  const part = () => dialog().getByRole('region', { name: 'Invitations' });
  const row = (email: string) => part().getByRole('listitem').filter({ hasText: email });
  const cancel = (email: string) =>
    dialog().getByRole('button', { name: `Cancel the invitation to ${email}`, exact: true });
  const cancelForGood = (email: string) =>
    dialog().getByRole('button', { name: `Cancel for good: Cancel the invitation to ${email}` });
  /** Answers to such requests wait until the returned function is called. */
  const hold = async (requests: RegExp) => {
    const { held, release } = holdAnswers();
    await page.route(requests, async (route) => {
      await held;
      await route.continue();
    });
    return async () => {
      release();
      await page.unrouteAll({ behavior: 'wait' });
    };
  };

  test('without one the part says so, and a new one appears', async () => {
    await go();
    await part().getByText('No invitation is open.').waitFor(wait);
    await expectAccessible(page, 'no invitations');
    await invite('grace@example.org', 'admin');
    await row('grace@example.org').waitFor({ timeout: 40_000 });
  });

  test('has the role, the inviter and the end of each, and the inviter is a link', async () => {
    await invite('hopper-with-a-rather-long-address@subdomain.example.org');
    await go();
    await row('grace@example.org').getByText('ada@example.org').waitFor(wait);
    const text = await row('grace@example.org').innerText();
    expect(text).toMatch(/admin · invited .+ by ada@example\.org · expires in 1 day/);
    expect(await part().getByRole('listitem').first().innerText()).toContain('hopper');
    await expectAccessible(page, 'the invitations');
    await row('grace@example.org').getByRole('link', { name: 'ada@example.org' }).click();
    await page.waitForURL(`**/users?open=${ada.id}`);
  });

  test('another organization shows none of them while it is read', async () => {
    const other = await asAda('create', { name: 'Other', slug: 'other' });
    await go();
    await row('grace@example.org').waitFor(wait);
    const release = await hold(new RegExp(`/organizations/${other}/`));
    // As by the buttons of the browser, which change the address under the open details.
    const to = `/projects/${project.ref}/organizations?open=${other}`;
    await page.evaluate(`history.pushState(null, '', '${to}')`);
    await row('grace@example.org').waitFor({ state: 'detached', ...wait });
    await release();
    await part().getByText('No invitation is open.').waitFor(wait);
  });

  test('nothing moves when the list comes after the members', async () => {
    const release = await hold(/\/invitations\?/);
    await go();
    await part().getByRole('group', { name: 'Loading the invitations' }).waitFor(wait);
    const placesOf = async () => {
      const parts = [dialog().getByRole('form'), part().getByRole('heading'), part()];
      const boxes = await Promise.all(parts.map((each) => each.boundingBox()));
      return boxes.map((box) => box?.y);
    };
    const before = await placesOf();
    expect(before).not.toContain(undefined);
    await release();
    await row('grace@example.org').waitFor(wait);
    expect(await placesOf()).toEqual(before);
  });

  test('is kept after the first press, and canceled after the second', async () => {
    await go();
    await cancel('grace@example.org').click(wait);
    await cancelForGood('grace@example.org').waitFor(wait);
    await dialog().getByRole('button', { name: 'Keep', exact: true }).click();
    await cancel('grace@example.org').click(wait);
    expect(await statusOf('grace@example.org')).toEqual(['pending']);
    await cancelForGood('grace@example.org').click(wait);
    const said = 'The invitation to grace@example.org was canceled.';
    await page.getByText(said, { exact: true }).waitFor(wait);
    await row('grace@example.org').waitFor({ state: 'detached', ...wait });
    expect(await statusOf('grace@example.org')).toEqual(['canceled']);
    await row('hopper').waitFor(wait);
  });

  test('an invitation that is gone meanwhile is refused in its place', async () => {
    const id = await invite('gone@example.org');
    await go();
    await cancel('gone@example.org').click(wait);
    const release = await hold(/\/invitations\?/);
    const path = `/api/admin/organizations/${works}/invitations/${id}`;
    expect((await project.asService({ method: 'DELETE', path })).status).toBe(204);
    await cancelForGood('gone@example.org').click(wait);
    await release();
    const problem = part().getByRole('alert');
    await problem.getByText('This invitation does not exist or has expired').waitFor(wait);
    await problem.getByText('Nothing was changed.').waitFor(wait);
    await row('gone@example.org').waitFor({ state: 'detached', ...wait });
  });

  test('a phone in the dark theme shows them', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 800 });
    await go();
    await cancel('hopper-with-a-rather-long-address@subdomain.example.org').waitFor(wait);
    await part().scrollIntoViewIfNeeded();
    await cancel('hopper-with-a-rather-long-address@subdomain.example.org').click();
    await dialog().getByRole('button', { name: 'Keep', exact: true }).waitFor(wait);
    await expectAccessible(page, 'the invitations on a phone');
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('more than a page has pages, also after the last one of a page is canceled', async () => {
    await rowsOf(
      project,
      `insert into auth.invitation (id, "organizationId", email, role, status, "expiresAt", "createdAt", "inviterId")
       select 'many-' || n, $1, 'many-' || n || '@example.org', 'member', 'pending', now() + interval '1 day',
         now() - n * interval '1 minute', $2
       from generate_series(1, $3::int) n`,
      [works, ada.id, perPage],
    );
    await go();
    const pages = part().getByRole('navigation', { name: 'Pages of the invitations' });
    await pages.getByRole('button', { name: 'Next page' }).click(wait);
    await page.waitForURL('**invitations=2**');
    const last = `many-${perPage}@example.org`;
    await cancel(last).click(wait);
    await cancelForGood(last).click(wait);
    await row(last).waitFor({ state: 'detached', ...wait });
    expect(await part().getByText('No invitation is open.').count()).toBe(0);
    await pages.getByRole('button', { name: 'Previous page' }).click(wait);
    await row('many-1@example.org').first().waitFor(wait);
    expect(new URL(page.url()).search).not.toContain('invitations');
  });
});

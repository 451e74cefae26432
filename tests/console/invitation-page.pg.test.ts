// The page behind the link of an invitation, as a person meets it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { type BrowserUnderTest, describeWithBrowser, openBrowser } from '../support/browser.js';
import { startConsole, testPassword, type TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';

let site: TestConsole;
let owner: string;
beforeAll(async () => {
  site = await startConsole();
  owner = await site.signIn(site.admin.email, site.admin.password);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

/** The link of a new invitation, on the address where this console listens. */
async function linkFor(email: string): Promise<string> {
  const { organizationId } = site.fixture;
  const { body } = await site.call('POST', '/platform/operators/invitations', {
    token: owner,
    body: { email, organizationId, role: 'viewer' },
  });
  return String(body.inviteUrl).replace('http://console.test', site.url);
}

test('is one document that runs and loads nothing but its own parts', async () => {
  const { status, headers, text } = await site.call('GET', '/invitation');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`default-src 'none'`);
  expect(policy).toContain(`frame-ancestors 'none'`);
  expect(policy).not.toContain('unsafe');
  for (const tag of ['script', 'style']) {
    const [, content = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text) ?? [];
    const hash = createHash('sha256').update(content).digest('base64');
    expect(policy).toContain(`${tag}-src 'sha256-${hash}'`);
  }
  expect(text).not.toMatch(/\son\w+=|\ssrc=|\shref=|\sstyle=/);
});

describeWithBrowser('in a browser', () => {
  let browser: BrowserUnderTest;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('somebody new accepts with a name and a password, and signs in', async () => {
    const email = `${uniqueWord('new')}@test.example`;
    const page = await browser.newPage(await linkFor(email));
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(testPassword);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { name: 'You are in', exact: true }).waitFor();
    expect(await page.getByText(email).isVisible()).toBe(true);
    expect(await site.signIn(email, testPassword)).toEqual(expect.any(String));
  });

  test('an operator is asked to sign in, and a wrong password is said', async () => {
    const operator = await site.addOperator();
    const page = await browser.newPage(await linkFor(operator.email));
    await page.getByLabel('Password').fill(testPassword);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByText('An account with this address already exists').waitFor();
    await page.getByLabel('E-mail address').fill(operator.email);
    await page.getByLabel('Password').fill('wrong password');
    await page.getByRole('button', { name: 'Sign in and accept' }).click();
    await page.getByRole('alert').getByText('password is wrong').waitFor();
    await page.getByLabel('Password').fill(operator.password);
    await page.getByRole('button', { name: 'Sign in and accept' }).click();
    await page.getByRole('heading', { name: 'You are in', exact: true }).waitFor();
  });

  test('a link without its token says so', async () => {
    const page = await browser.newPage(`${site.url}/invitation`);
    await page.getByRole('heading', { name: 'The link is not complete' }).waitFor();
    expect(await page.locator('form').isVisible()).toBe(false);
  });
});

// The lab for policies: each kind of request, as each kind of caller, with the rows that policies hide and the policy
// that decides; runs are kept as tests, and nothing that is tried is written.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { notesSql } from '../policies/lab.js';
import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { expectAccessible } from './accessible.js';
import { expectDone } from './colleagues.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('the lab for policies', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  let ada: SignedIn;
  let bob: SignedIn;
  let keyId: string;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    ada = await project.signUp('ada@example.org');
    bob = await project.signUp('bob@example.org');
    await project.sql(`${notesSql('text')}
      insert into notes (id, owner, body, locked) values
        (1, '${ada.id}', 'mine', false), (2, '${ada.id}', 'mine too', true),
        (3, '${bob.id}', 'private', false), (4, '${bob.id}', 'shared', false);
      create function notes_with(word text) returns setof notes stable language sql
        as 'select * from notes where body like ''%'' || word || ''%'' order by id'`);
    const asService = (method: string, path: string, body: object) =>
      expectDone(project.asService({ method, path, body }));
    await asService('PUT', '/api/admin/settings/auth.apiKey', { enabled: true });
    await asService('POST', '/api/admin/storage/buckets', { slug: 'papers' });
    const made = { method: 'POST', path: '/api/auth/api-key/create', body: { name: 'laptop' } };
    keyId = String(asRecord((await expectDone(project.as(ada, made))).body)['id']);
    await expectDone(
      project.as(ada, {
        method: 'PUT',
        path: '/api/files/object/papers/ada.txt',
        body: 'a text of Ada',
        headers: { 'content-type': 'text/plain' },
      }),
    );
    page = await world.openSignedIn(`/projects/${project.ref}/policies?tab=lab`);
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const form = () => page.getByRole('form', { name: 'Request to try' });
  const result = () => page.getByRole('region', { name: 'Result' });
  const choose = (label: string, value: string) =>
    form().getByLabel(label, { exact: true }).selectOption(value);
  const fill = (label: string, text: string) =>
    form().getByLabel(label, { exact: true }).fill(text);
  /** Writes into a field for JSON as keys do: over colored text, Chromium writes style attributes for what is inserted. */
  const write = async (label: string, text: string): Promise<void> => {
    const field = form().getByRole('textbox', { name: label, exact: true });
    await field.press('Control+a');
    await field.press('Delete');
    await field.fill(text);
  };
  const asUser = async (user: SignedIn): Promise<void> => {
    await choose('Caller', 'user');
    await fill('Find a user', user.email);
    await choose('User', user.id);
  };
  /** Runs what the form says, and waits for the sentence of the result. */
  const run = async (sentence: string | RegExp): Promise<void> => {
    await form().getByRole('button', { name: 'Run', exact: true }).click();
    await result().getByText(sentence).first().waitFor();
  };
  const saveAs = async (name: string): Promise<void> => {
    const saving = page.getByRole('form', { name: 'Save as a test' });
    await saving.getByLabel('Name').fill(name);
    await saving.getByRole('button', { name: 'Save as test' }).click();
    await page.getByText('The test is saved.', { exact: true }).first().waitFor();
  };
  const notes = () => project.sql('select id, body from notes order by id');

  test('a form that lacks something says what, and sends nothing', async () => {
    await choose('Caller', 'user');
    await form().getByRole('button', { name: 'Run', exact: true }).click();
    await form().getByText('Choose a user.').waitFor();
    await expectAccessible(page, 'a form that is not complete');
  });

  test('a change reaches the own rows, and names the policy that hides the others', async () => {
    const before = await notes();
    await asUser(ada);
    await choose('Request', 'update');
    await choose('Table', 'notes');
    await fill('Which rows', 'id=gt.0');
    await write('New values', '{"body": "changed"}');
    await run('1 row reached, 3 rows hidden.');
    await result()
      .getByText('“unlocked” is restrictive and not true for it, so this caller may not read it.')
      .waitFor();
    await saveAs('Ada changes her own note');
    await write('New values', `{"owner": "${bob.id}"}`);
    await fill('Which rows', 'id=eq.1');
    await run(/refused with 403 42501/);
    await result().getByText('change this version of the row').first().waitFor();
    await saveAs('Ada gives no note away');
    expect(await notes()).toEqual(before);
  });

  test('a deletion reaches the own rows, and everything is there afterwards', async () => {
    const before = await notes();
    await asUser(bob);
    await choose('Request', 'delete');
    await fill('Which rows', 'id=lt.4');
    await run('1 row reached, 2 rows hidden.');
    await saveAs('Bob deletes his own notes');
    expect(await notes()).toEqual(before);
  });

  test('a function is called with its arguments, and sees what the caller sees', async () => {
    await asUser(ada);
    await choose('Request', 'rpc');
    await fill('Function', 'notes_with');
    await write('Arguments', '{"word": "e"}');
    await run('2 rows reached');
    await result().getByText('"shared"').waitFor();
    expect(await result().getByText('private').count()).toBe(0);
    await saveAs('Ada finds two notes');
    await write('Arguments', '{"wrod": "i"}');
    await run('The request is refused with 404');
  });

  test('a file is for its owner; another user learns which policies are missing', async () => {
    await asUser(ada);
    await choose('Request', 'file');
    await choose('Access', 'read');
    await fill('Bucket', 'papers');
    await fill('Path of the file', 'ada.txt');
    await run('1 row reached');
    await asUser(bob);
    await run('The request is refused with 404 FILE_NOT_FOUND');
    await result()
      .getByText(/let(?:s)? this caller read it|may not read it/)
      .first()
      .waitFor();
    await saveAs('Bob reads no file of Ada');
    await choose('Access', 'write');
    await run('The request is refused with 403 42501');
    expect((await project.as(ada, { path: '/api/files/object/papers/ada.txt' })).text).toBe(
      'a text of Ada',
    );
  });

  test('an API key acts for its user; its text is in no address and no test', async () => {
    await choose('Caller', 'key');
    await choose('Request', 'select');
    await choose('Table', 'notes');
    await fill('Which rows', 'order=id');
    await fill('Key', project.publishableKey);
    await run('1 row reached');
    await result()
      .getByText(/^As anon, /)
      .waitFor();
    await page.getByText('Tests do not keep the text of a key.').waitFor();
    expect(page.url()).not.toContain(project.publishableKey);
    await fill('Key', project.secretKey);
    await run('4 rows reached');
    await result().getByText('The role service_role bypasses row level security.').waitFor();
    await fill('Key', '');
    await fill('Or the id of a user’s API key', keyId);
    await run('2 rows reached, 2 rows hidden.');
    await saveAs('The laptop of Ada sees two notes');
    await fill('Or the id of a user’s API key', 'none');
    await form().getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'keyId' }).waitFor();
  });

  test('claims are written by hand, with a role', async () => {
    await choose('Caller', 'claims');
    await write('Claims', '{"sub": 1');
    await form().getByRole('button', { name: 'Run', exact: true }).click();
    await form().getByText('The claims must be JSON.').waitFor();
    await write('Claims', JSON.stringify({ sub: bob.id }));
    await run('2 rows reached, 2 rows hidden.');
    await saveAs('Claims of Bob see two notes');
    await choose('Role', 'anon');
    await run('1 row reached, 3 rows hidden.');
    await choose('Request', 'insert');
    await write('New rows', '{"id": 9, "body": "of a visitor"}');
    await run(/refused with 40[13] 42501/);
    await result().getByText('Refused rows').waitFor();
    await expectAccessible(page, 'refused rows');
  });

  test('all tests run with one press, and a broken one says what it got', async () => {
    await page.getByRole('tab', { name: 'Tests' }).click();
    await page.getByRole('button', { name: 'Run all tests', exact: true }).click();
    await page.getByText('All 7 tests passed.').waitFor();
    await project.sql('drop policy shared_notes on notes');
    await page.getByRole('button', { name: 'Run all tests', exact: true }).click();
    await page.getByText('2 of 7 tests failed.').waitFor();
    const failed = page
      .getByRole('listitem')
      .filter({ hasText: 'The laptop of Ada sees two notes' });
    await failed.getByText('Failed').waitFor();
    await failed.getByText('got the rows 1').waitFor();
    await expectAccessible(page, 'tests that failed');
    await page.getByRole('button', { name: 'Delete Bob deletes his own notes' }).click();
    await page
      .getByRole('heading', { name: 'Bob deletes his own notes' })
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Bob deletes his own notes' }).waitFor();
  });
});

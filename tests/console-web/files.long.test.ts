// Buckets, and the folders and files in them: how operators make, fill, find and change them.
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { dataOf, rowsIn } from '../storage/bucket-rows.js';
import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { type FilesWorld, openFiles } from './files-world.js';
import { expectNothingRan } from './nothing-ran.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const script = '<img src=x onerror="window.broken=1">.txt';
const turned = 'invoice\u202efdp.exe';
const long = `${'very-long-'.repeat(20)}.txt`;
const chunk = 1024 * 1024;
const wait = { timeout: 20_000 };

describeWithBrowser('the files of a project', () => {
  let files: FilesWorld;
  let folder: string;
  beforeAll(async () => {
    files = await openFiles();
    folder = await mkdtemp(join(tmpdir(), 'rowhouse-files-'));
  });
  afterAll(async () => {
    await files.world.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => files.world.expectNoFindings());

  const uploads = () => files.page.getByRole('region', { name: 'Uploads' });
  const choose = (chosen: Parameters<ReturnType<typeof input>['setInputFiles']>[0]) =>
    input().setInputFiles(chosen);
  const input = (what = 'files') => files.page.locator(`input[data-chooses=${what}]`);
  const text = (name: string, content = name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(content),
  });
  /** Waits for the end of the uploads; “0 of 2 files uploaded” is none. */
  const arrived = (words: string) => uploads().getByText(words, { exact: true }).waitFor();
  const bucketOf = async (slug: string) =>
    asRecord(dataOf(await files.api('GET', `/admin/storage/buckets/${slug}`)));

  test('without a bucket, the page says what one is for; a bucket is made and changed', async () => {
    const { page, dialog, button } = files;
    await page.getByText('There is no bucket yet').waitFor();
    await button('New bucket').first().click();
    await dialog().getByLabel('Slug').fill('pictures');
    await dialog().getByLabel('Quota').fill('much');
    await button('Make the bucket').click();
    await dialog().getByText('This is no size').waitFor();
    await dialog().getByLabel('Quota').fill('20 MB');
    await button('Make the bucket').click();
    await page.getByRole('heading', { name: 'pictures', level: 1 }).waitFor();
    await page.getByText('No file is in this bucket').waitFor();
    await page.getByRole('link', { name: 'All buckets' }).click();
    await page.getByRole('meter', { name: 'Quota of pictures' }).waitFor();
    await button('Actions on the bucket pictures').click();
    await page.getByRole('menuitem', { name: 'Change', exact: true }).click();
    await dialog().getByLabel('Largest file').fill('10 MB');
    await dialog().getByLabel('Allowed types').fill('text/*, image/png');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await bucketOf('pictures')).toMatchObject({
      quotaBytes: 20_000_000,
      maxFileBytes: 10_000_000,
      allowedMimeTypes: ['text/*', 'image/png'],
    });
  });

  test('a slug that is taken is refused in words', async () => {
    const { page, dialog, button, go } = files;
    await go();
    await button('New bucket').click();
    await dialog().getByLabel('Slug').fill('pictures');
    await button('Make the bucket').click();
    await dialog().getByText('There is a bucket with this slug.').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test('chosen files are uploaded, and hostile names are text', async () => {
    const { page, go, row, contentOf } = files;
    await go('?bucket=pictures');
    await page.getByText('No file is in this bucket').waitFor();
    await choose([text(script), text(turned), text(long), text('Größe 日本.txt')]);
    await arrived('4 files uploaded');
    await row(script).waitFor();
    await row('invoice\\u202Efdp.exe').waitFor();
    await row('Größe 日本.txt').waitFor();
    expect(await contentOf('pictures', long)).toBe(long);
    await row(script).getByRole('button', { name: script, exact: true }).click();
    await files.dialog().getByRole('heading', { name: script }).waitFor();
    await files.dialog().getByRole('region', { name: 'Content of the file' }).waitFor();
    await expectNothingRan(page);
    expect(
      await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
    ).toBeLessThanOrEqual(0);
  });

  test('a folder is uploaded with what is in it, and opened', async () => {
    const { page, go, row, contentOf } = files;
    const tree = join(folder, 'trip');
    await mkdir(join(tree, 'day 1'), { recursive: true });
    await writeFile(join(tree, 'plan.txt'), 'north');
    await writeFile(join(tree, 'day 1', 'notes.txt'), 'rain');
    await go('?bucket=pictures');
    await row(script).waitFor();
    await input('folder').setInputFiles(tree);
    await arrived('2 files uploaded');
    expect(await contentOf('pictures', 'trip/day 1/notes.txt')).toBe('rain');
    await row('trip').getByRole('button', { name: /^trip/ }).click();
    await row('plan.txt').waitFor();
    await row('day 1')
      .getByRole('button', { name: /^day 1/ })
      .click();
    await row('notes.txt').waitFor();
    await page
      .getByRole('navigation', { name: 'Folders' })
      .getByRole('link', { name: 'trip' })
      .click();
    await row('plan.txt').waitFor();
    expect(new URL(page.url()).searchParams.get('in')).toBe('trip/');
  });

  test('dropped files go into the open folder', async () => {
    const { page, go, row, contentOf } = files;
    await go('?bucket=pictures&in=trip/');
    await row('plan.txt').waitFor();
    const dropped = await page.evaluateHandle<object>(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
      return transfer;
    })()`);
    const place = page.locator('[data-dropzone]');
    await place.dispatchEvent('dragover', { dataTransfer: dropped });
    await page.getByText('Drop to upload into trip/').waitFor();
    await place.dispatchEvent('drop', { dataTransfer: dropped });
    await row('dropped.txt').waitFor();
    expect(await contentOf('pictures', 'trip/dropped.txt')).toBe('dropped');
  });

  test('a file that is there is replaced if the operator says so', async () => {
    const { go, row, contentOf } = files;
    await go('?bucket=pictures&in=trip/');
    await row('plan.txt').waitFor();
    await choose(text('plan.txt', 'south'));
    await uploads().getByText('exists already').waitFor();
    expect(await contentOf('pictures', 'trip/plan.txt')).toBe('north');
    await uploads().getByRole('button', { name: 'Replace trip/plan.txt' }).click();
    await arrived('1 file uploaded');
    expect(await contentOf('pictures', 'trip/plan.txt')).toBe('south');
  });

  test('a file that the bucket does not take is refused in words', async () => {
    const { go, row } = files;
    await go('?bucket=pictures&in=trip/');
    await row('plan.txt').waitFor();
    await choose({ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') });
    await uploads().getByRole('alert').filter({ hasText: 'application/zip' }).waitFor();
    await uploads().getByRole('button', { name: 'Cancel trip/a.zip' }).click();
    await uploads().waitFor({ state: 'detached' });
  });

  test('an upload goes on where it was interrupted, also after the page is loaded again', async () => {
    const { page, go, api, contentOf, world, project, makeBucket } = files;
    await makeBucket('films');
    const path = join(folder, 'film.txt');
    const content = Buffer.alloc(6 * chunk, 'film ');
    await writeFile(path, content);
    await utimes(path, 1_700_000_000, 1_700_000_000);
    const begun: string[] = [];
    const offsets: (string | undefined)[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'POST') {
        const place = response.headers()['location'];
        if (place !== undefined) begun.push(place);
      }
    });
    await page.route('**/api/files/resumable/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await go('?bucket=films');
    await page.getByText('No file is in this bucket').waitFor();
    await choose(path);
    await uploads().getByRole('alert').filter({ hasText: 'could not be reached' }).waitFor();
    const [place = ''] = begun;
    const sent = await world.deployment.console({
      method: 'PATCH',
      path: `/platform/projects/${project.ref}${place}`,
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
      },
      body: content.subarray(0, chunk),
    });
    expect(sent.headers['upload-offset']).toBe(String(chunk));
    await page.reload();
    await page.unroute('**/api/files/resumable/*');
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset']);
    });
    await page.getByText('No file is in this bucket').waitFor();
    await choose(path);
    await arrived('1 file uploaded');
    expect(offsets[0]).toBe(String(chunk));
    expect(offsets).not.toContain('0');
    expect(begun).toHaveLength(1);
    expect(await contentOf('films', 'film.txt')).toBe(content.toString());
    expect((await api('DELETE', '/admin/storage/buckets/films?force=true')).status).toBe(200);
  });

  test('an upload is paused, goes on, and is cancelled', async () => {
    const { page, go, makeBucket } = files;
    await makeBucket('slow');
    let letThrough = false;
    const held: (() => void)[] = [];
    await page.route('**/api/files/resumable/*', async (route) => {
      if (route.request().method() === 'PATCH' && !letThrough) {
        await new Promise<void>((go) => held.push(go));
      }
      // A request that was given up has no way on.
      await route.continue().catch(() => undefined);
    });
    await go('?bucket=slow');
    const big = (name: string) => ({ ...text(name), buffer: Buffer.alloc(5 * chunk, 'slow ') });
    await page.getByText('No file is in this bucket').waitFor();
    await choose([big('one.txt'), big('two.txt')]);
    await expect.poll(() => held.length, wait).toBe(2);
    await uploads().getByRole('button', { name: 'Pause one.txt' }).click();
    await uploads().getByText('paused at').waitFor();
    await uploads().getByRole('button', { name: 'Cancel two.txt' }).click();
    await uploads().getByText('two.txt').waitFor({ state: 'detached' });
    letThrough = true;
    for (const go of held) go();
    await uploads().getByRole('button', { name: 'Resume: one.txt' }).click();
    await arrived('1 file uploaded');
    await page.unroute('**/api/files/resumable/*');
    await files.row('one.txt').waitFor();
    expect(await files.row('two.txt').count()).toBe(0);
    await expect
      .poll(() => bucketOf('slow'), wait)
      .toMatchObject({ fileCount: 1, reservedBytes: 0 });
  });

  test('one file is renamed and brought back, several are moved and copied', async () => {
    const { page, go, row, act, dialog, button, contentOf } = files;
    await go('?bucket=pictures&in=trip/');
    await act('plan.txt', 'Move or rename');
    await dialog().getByLabel('New key').fill('trip/the plan.txt');
    await dialog().getByRole('button', { name: 'Move' }).click();
    await row('the plan.txt').waitFor();
    await button('Undo').click();
    await row('the plan.txt').waitFor({ state: 'detached' });
    await row('plan.txt').waitFor();
    await page.getByLabel('Select plan.txt').check();
    await page.getByLabel('Select day 1').check();
    await page.getByText('1 folder and 1 file (5 bytes) selected').waitFor();
    const bar = page.getByRole('region', { name: 'Selected files' });
    await bar.getByRole('button', { name: 'Copy' }).click();
    await dialog().getByLabel('Into the folder').fill('archive/2026');
    await dialog().getByRole('button', { name: 'Copy' }).click();
    await page.getByText('2 files copied.').first().waitFor();
    expect(await contentOf('pictures', 'archive/2026/day 1/notes.txt')).toBe('rain');
    expect(await contentOf('pictures', 'trip/day 1/notes.txt')).toBe('rain');
    // The files beyond those in sight are read first: the box is not ticked at once.
    await page.getByLabel('Select everything in this folder').click();
    await page.getByText('1 folder and 2 files (12 bytes) selected').waitFor();
    await bar.getByRole('button', { name: 'Move' }).click();
    await dialog().getByLabel('Into the folder').fill('archive/2026');
    await dialog().getByRole('button', { name: 'Move' }).click();
    await dialog().getByText('2 files could not be moved.').waitFor();
    await dialog().getByLabel('Replace files that exist there').check();
    await dialog().getByRole('button', { name: 'Move' }).click();
    await page.getByText('Nothing is in this folder').waitFor();
    expect(await contentOf('pictures', 'archive/2026/dropped.txt')).toBe('dropped');
  });

  test('a folder is deleted with what is in it, after the page has counted it', async () => {
    const { page, go, row, act, dialog, contentOf } = files;
    await go('?bucket=pictures');
    await act('archive', 'Delete…');
    await dialog().getByText('3 files, 16 bytes').waitFor();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('3 files deleted.').first().waitFor();
    await row('archive').waitFor({ state: 'detached' });
    expect(await contentOf('pictures', 'archive/2026/plan.txt')).toBeUndefined();
  });

  test('a file is downloaded with its name', async () => {
    const { page, go, act } = files;
    await go('?bucket=pictures');
    const download = page.waitForEvent('download');
    await act('Größe 日本.txt', 'Download');
    expect((await download).suggestedFilename()).toBe('Größe 日本.txt');
  });

  test('of 10,000 files the rows in sight are in the page, and the keys reach all of them', async () => {
    const { page, go, row, project, makeBucket } = files;
    await makeBucket('many');
    await rowsIn(
      project,
      `select storage.commit_upload(id, 10) from (
         select id, storage.reserve_upload(id, 'many', 'all/file ' || lpad(n::text, 5, '0') || '.txt',
           gen_random_uuid(), 'local', 'stream', 10, 'text/plain', 'private', null, false,
           now() + interval '1 hour') as outcome
         from (select gen_random_uuid() as id, n from generate_series(1, 10000) n) ids offset 0
       ) reserved where outcome = 'reserved'`,
    );
    await go('?bucket=many&in=all/');
    await row('file 00001.txt')
      .getByRole('button', { name: 'file 00001.txt', exact: true })
      .focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('1 file (10 bytes) selected').waitFor();
    expect(await page.getByLabel('Select file 00002.txt').isChecked()).toBe(true);
    await page.keyboard.press('End');
    await row('file 10000.txt').waitFor();
    const table = page.getByRole('table', { name: 'Folders and files' });
    expect(await table.getByRole('row').count()).toBeLessThan(80);
    expect(await table.getAttribute('aria-rowcount')).toBe('10001');
    await expect
      .poll(() => page.evaluate('document.activeElement?.textContent'), wait)
      .toBe('file 10000.txt');
    await page.keyboard.press('Home');
    await row('file 00001.txt').waitFor();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await page.waitForURL('**sort=name.desc**');
    await row('file 10000.txt').waitFor();
    await page.getByLabel('Search in this folder').fill('0777');
    await row('file 00777.txt').waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('12');
  });

  test('a bucket is emptied and deleted by its slug', async () => {
    const { page, go, dialog, button } = files;
    await go();
    await button('Actions on the bucket many').click();
    await page.getByRole('menuitem', { name: 'Empty…' }).click();
    await dialog().getByLabel('Type this to confirm: many').fill('many');
    await dialog().getByRole('button', { name: 'Empty' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'many' });
    await card.getByText('0 files, 0 bytes').waitFor({ timeout: 90_000 });
    await button('Actions on the bucket many').click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog().getByLabel('Type this to confirm: many').fill('many');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'detached' });
  });

  test('what others upload appears', async () => {
    const { go, row, put } = files;
    await go('?bucket=pictures');
    await row('Größe').waitFor();
    await put('pictures', 'from elsewhere.txt', 'hello');
    await row('from elsewhere.txt').waitFor({ timeout: 60_000 });
  });

  test('an operator who may only read is offered no change', async () => {
    const { openAs, project, world } = files;
    const other = await openAs('viewer');
    await other.goto(`${world.origin}/projects/${project.ref}/files?bucket=pictures`);
    const named = (name: string | RegExp) => other.getByRole('button', { name });
    await other.getByRole('row').filter({ hasText: 'Größe' }).waitFor();
    expect(await named('Upload files').count()).toBe(0);
    expect(await named('New folder').count()).toBe(0);
    expect(await other.getByRole('tab', { name: 'Tokens' }).count()).toBe(0);
    await named('Actions on Größe 日本.txt').click();
    await other.getByRole('menuitem', { name: 'Download' }).waitFor();
    expect(await other.getByRole('menuitem').count()).toBe(2);
    await other.goto(`${world.origin}/projects/${project.ref}/files`);
    await other.getByRole('listitem').filter({ hasText: 'pictures' }).waitFor();
    expect(await named('New bucket').count()).toBe(0);
    expect(await named(/^Actions on the bucket/).count()).toBe(0);
  });
});

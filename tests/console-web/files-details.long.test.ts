// What operators see of a stored file, the links that they give out, and what belongs to a bucket beside its files.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { dataOf } from '../storage/bucket-rows.js';
import { canvas } from '../storage/image-samples.js';
import { describeWithBrowser } from '../support/browser.js';
import { type HttpRecorder, openHttpRecorder } from '../support/http-recorder.js';
import { send } from '../support/http.js';
import { expectAccessible } from './accessible.js';
import { type FilesWorld, openFiles } from './files-world.js';
import { expectNothingRan } from './nothing-ran.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.broken=1"><script>window.broken=1</script></svg>`;
const html = `<!doctype html><script>parent.broken=window.broken=1</script><img src=x onerror="window.broken=1">`;

describeWithBrowser('a stored file and its bucket', () => {
  let files: FilesWorld;
  let hooks: HttpRecorder;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    hooks = await openHttpRecorder();
    files = await openFiles({ OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' });
    const { makeBucket, put, api } = files;
    const saved = await api('PUT', '/admin/settings/storage', { signedLinks: true });
    if (saved.status !== 200) throw new Error(saved.text);
    await makeBucket('media');
    const png = await canvas(40, 30).png().toBuffer();
    const stored: readonly (readonly [key: string, content: string | Buffer, type: string])[] = [
      ['red.png', png, 'image/png'],
      ['drawing.svg', svg, 'image/svg+xml'],
      ['page.html', html, 'text/html'],
      ['facts.json', '{"b":1,"a":["<b>"]}', 'application/json'],
      ['broken.json', '{"b":', 'application/json'],
      ['sound.wav', silence(), 'audio/wav'],
      ['film.mp4', 'this is no film', 'video/mp4'],
      ['paper.pdf', '%PDF-1.4\n%%EOF', 'application/pdf'],
      ['page.pdf', html, 'application/pdf'],
      ['archive.zip', 'PK', 'application/zip'],
    ];
    for (const [key, content, type] of stored) {
      // One after the other: the list has them by name.
      ids.set(key, await put('media', key, content, type));
    }
  });
  afterAll(async () => {
    await files.world.close();
    await hooks.close();
  });
  afterEach(() => files.world.expectNoFindings());

  const open = (key: string) => files.go(`?bucket=media&open=${ids.get(key) ?? ''}`);
  const bucket = '/admin/storage/buckets/media';
  const shownText = () => files.dialog().getByRole('region', { name: 'Content of the file' });

  test('an image is drawn, and made in another size and format', async () => {
    const { dialog } = files;
    await open('red.png');
    await dialog().getByText('40 × 30 pixels').waitFor();
    await dialog().getByRole('tab', { name: 'Resize' }).click();
    await dialog().getByLabel('Width').fill('20');
    await dialog().getByLabel('Format').selectOption('jpeg');
    await dialog().getByRole('button', { name: 'Show' }).click();
    await dialog().getByText('20 × 15 pixels').waitFor();
    await dialog().getByText('image/jpeg,').waitFor();
    await dialog().getByRole('button', { name: 'Make a link for a day' }).click();
    await dialog().getByText('Everybody with the link').waitFor();
    const link = await copiedLink();
    expect(link.pathname).toBe('/storage/v1/render/image');
    expect(await statusOf(link)).toBe(200);
  });

  test.each([
    { key: 'drawing.svg', content: svg },
    { key: 'page.html', content: html },
  ])('$key is shown as text, and nothing in it runs', async ({ key, content }) => {
    const { page } = files;
    await open(key);
    await shownText().waitFor();
    expect(await shownText().textContent()).toBe(content);
    await expectNothingRan(page);
  });

  test('JSON has indents, and what is none is text', async () => {
    await open('facts.json');
    await shownText().waitFor();
    expect(await shownText().textContent()).toBe(JSON.stringify({ b: 1, a: ['<b>'] }, null, 2));
    await open('broken.json');
    await files.dialog().getByText('This is not JSON').waitFor();
    expect(await shownText().textContent()).toBe('{"b":');
  });

  test('sound is played, and a film that is none is said to be broken', async () => {
    const { page, dialog } = files;
    await open('sound.wav');
    await dialog().locator('audio').waitFor();
    await expect
      .poll(() => page.evaluate(`document.querySelector('audio')?.duration`), { timeout: 20_000 })
      .toBeCloseTo(0.1);
    await open('film.mp4');
    await dialog().getByText('The browser cannot show this file.').waitFor();
  });

  test('a PDF is in a frame of the page, where the browser has a viewer', async () => {
    const { page, dialog } = files;
    await open('paper.pdf');
    const hasViewer = await page.evaluate<boolean>('navigator.pdfViewerEnabled');
    if (hasViewer) await dialog().locator('iframe[src^="blob:"]').waitFor();
    else await dialog().getByText('does not show PDF files within a page').waitFor();
  });

  test('a page that is stored as a PDF runs nothing', async () => {
    const { page, dialog } = files;
    await open('page.pdf');
    const hasViewer = await page.evaluate<boolean>('navigator.pdfViewerEnabled');
    if (hasViewer) {
      const frame = await (await dialog().locator('iframe').elementHandle())?.contentFrame();
      await frame?.waitForLoadState();
      expect(await frame?.evaluate('document.contentType')).toBe('application/pdf');
    } else await dialog().getByText('does not show PDF files within a page').waitFor();
    await expectNothingRan(page);
  });

  test('of another type, the page offers the download alone', async () => {
    const { page, dialog } = files;
    await open('archive.zip');
    await dialog().getByText('Files of the type application/zip are not shown here').waitFor();
    const download = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('archive.zip');
  });

  test('where links are turned off, the page says so', async () => {
    const { dialog, api } = files;
    await api('PUT', '/admin/settings/storage', { signedLinks: false });
    await open('page.html');
    await dialog().getByRole('tab', { name: 'Links' }).click();
    await dialog().getByRole('button', { name: 'Make a link' }).click();
    await dialog().getByText('Links to private files are turned off').waitFor();
    await dialog().getByRole('link', { name: 'Turn them on in the settings' }).waitFor();
    await api('PUT', '/admin/settings/storage', { signedLinks: true });
  });

  test('a link can be read without a session until it ends', async () => {
    const { dialog } = files;
    await open('page.html');
    await dialog().getByRole('tab', { name: 'Links' }).click();
    await dialog().getByLabel('Valid for').selectOption('600');
    await dialog().getByLabel('Browsers save the file').check();
    await dialog().getByRole('button', { name: 'Make a link' }).click();
    await dialog().getByText('Everybody with the link').waitFor();
    const link = await copiedLink();
    expect(Number(link.searchParams.get('exp')) - Date.now() / 1000).toBeLessThan(601);
    expect(await statusOf(link)).toBe(200);
    link.searchParams.set('exp', '1');
    expect(await statusOf(link)).toBe(403);
  });

  test('the visibility of a file is changed', async () => {
    const { dialog, api, go, makeBucket, put } = files;
    await makeBucket('open', { public: true });
    const id = await put('open', 'seen by all.txt', 'hello');
    await go(`?bucket=open&open=${id}`);
    await dialog().getByRole('tab', { name: 'Details' }).click();
    await dialog().getByLabel('Visibility').selectOption('private');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await files.page.getByText('The file is changed.').first().waitFor();
    expect(dataOf(await api('GET', `/files/${id}`))).toMatchObject({ visibility: 'private' });
  });

  test('a file is deleted from its details', async () => {
    const { page, dialog, row } = files;
    await open('archive.zip');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await dialog().getByText('1 file, 2 bytes').waitFor();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    await row('archive.zip').waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('open=');
  });

  test('pages of other origins are allowed by rules', async () => {
    const { page, go, button, api } = files;
    await go('?bucket=media&part=access');
    await button('Add a rule').click();
    const rule = page.getByRole('region', { name: 'Rule 1' });
    await rule.getByLabel('Origins').fill('app.example.org');
    await button('Save the rules').click();
    await page.getByRole('alert').filter({ hasText: 'cors[0].origins[0]' }).waitFor();
    await rule.getByLabel('Origins').fill('https://app.example.org');
    await rule.getByLabel('PUT').check();
    await button('Save the rules').click();
    await page.getByText('The rules are saved.').first().waitFor();
    expect(dataOf(await api('GET', `${bucket}/cors`))).toMatchObject([
      { origins: ['https://app.example.org'], methods: ['GET', 'PUT'], maxAgeSeconds: 600 },
    ]);
    await page.getByRole('link', { name: 'Show the policies of files' }).click();
    await page.getByRole('region', { name: 'Table storage.files' }).waitFor();
  });

  test('a token is shown once, works, and ends when it is deleted', async () => {
    const { page, go, button, dialog, project } = files;
    await go('?bucket=media&part=tokens');
    await page.getByText('The bucket has no token.').waitFor();
    await button('New token').click();
    await dialog().getByLabel('Name').fill('the camera');
    await dialog().getByLabel('It may').selectOption('read');
    await dialog().getByRole('button', { name: 'Make the token' }).click();
    const field = dialog().getByRole('textbox', { name: 'Token', exact: true });
    const token = (await field.textContent()) ?? '';
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('the camera').waitFor();
    expect(await page.content()).not.toContain(token);
    const read = async () =>
      (
        await send(project.apiOrigin, {
          path: '/api/storage/media/files/facts.json',
          headers: { host: project.host, 'x-bucket-token': token },
        })
      ).status;
    expect(await read()).toBe(200);
    await button('Delete the token the camera').click();
    await button('Delete the token the camera for good').click();
    await page.getByText('The bucket has no token.').waitFor();
    expect(await read()).toBe(401);
  });

  test('a webhook is tried, called, and called again', async () => {
    const { page, go, button, dialog, put } = files;
    const url = `${hooks.origin}/hook`;
    await go('?bucket=media&part=webhooks');
    await page.getByText('The bucket has no webhook.').waitFor();
    await button('New webhook').click();
    await dialog().getByLabel('URL').fill(url);
    await dialog().getByRole('button', { name: 'Make the webhook' }).click();
    await dialog().getByText('it is not shown again').waitFor();
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await button(`Send a test to ${url}`).click();
    await page.getByText('The test arrived.').waitFor();
    await hooks.waitForRequest(({ text }) => text.includes('"ping"'));
    hooks.answerWith(() => ({ status: 500 }));
    await button(`Send a test to ${url}`).click();
    await page.getByText('It answered with 500.').waitFor();
    hooks.answerWith(() => ({ status: 200 }));
    await put('media', 'announced.txt', 'hello');
    const isAbout = ({ text }: { readonly text: string }) => text.includes('announced.txt');
    const first = await hooks.waitForRequest(isAbout);
    await button(`Deliveries to ${url}`).click();
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByText('Arrived').waitFor({ timeout: 30_000 });
    await deliveries.getByRole('button', { name: /^Send again: / }).click();
    const again = await hooks.waitForRequest(isAbout);
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    await button(`Actions on ${url}`).click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await page.getByText('Off: uploaded').waitFor();
    await button(`Actions on ${url}`).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The bucket has no webhook.').waitFor();
  });

  test('a move to another store is refused in words while there is none', async () => {
    const { page, go, dialog, button } = files;
    await go();
    await page.getByText('New files go to a folder of the server.').waitFor();
    await button('Move all files to the folder').click();
    await dialog().getByRole('button', { name: 'Move', exact: true }).click();
    await dialog().getByText('there is no store to move files to or from').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  test('a move shows how far it is', async () => {
    const { page, go, button } = files;
    const state = {
      state: 'running',
      from: 'local',
      to: 's3',
      currentDriver: 's3',
      movedFiles: 3,
      totalFiles: 10,
      movedBytes: 3000,
      totalBytes: 10_000,
      failedFiles: 1,
      failures: { 'the bytes are lost': 1 },
      lastError: null,
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: null,
    };
    await page.route('**/admin/storage/relocation', (route) =>
      route.fulfill({ json: { status: 1, message: 'OK', data: state } }),
    );
    await go();
    await page.getByText('3 of 10 files, 3 KB of 10 KB').waitFor();
    await page.getByText('the bytes are lost: 1').waitFor();
    await button('Stop the move').waitFor();
    await page.unroute('**/admin/storage/relocation');
  });

  test.each([
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 360 },
  ] as const)('the pages are accessible: $theme, $width pixels', async ({ theme, width }) => {
    const { world, project } = files;
    const options = { colorScheme: theme, viewport: { width, height: 800 } };
    const page = await world.openSignedIn('/projects', options);
    const go = (query = '') => page.goto(`${world.origin}/projects/${project.ref}/files${query}`);
    await go();
    await page.getByRole('meter').or(page.getByText('No quota')).first().waitFor();
    await page.getByText('New files go to').waitFor();
    await expectAccessible(page, 'buckets');
    await page.getByRole('button', { name: 'New bucket' }).click();
    await page.getByRole('dialog').getByLabel('Slug').waitFor();
    await expectAccessible(page, 'a new bucket');
    await go('?bucket=media');
    await page.getByRole('row').filter({ hasText: 'red.png' }).waitFor();
    await page.getByLabel('Select red.png').check();
    await expectAccessible(page, 'files');
    await page.getByRole('button', { name: 'Actions on red.png' }).click();
    await page.getByRole('menuitem', { name: 'Move or rename' }).click();
    await page.getByRole('dialog').getByLabel('New key').waitFor();
    await expectAccessible(page, 'a move');
    await go(`?bucket=media&open=${ids.get('red.png') ?? ''}`);
    await page.getByText('40 × 30 pixels').waitFor();
    await expectAccessible(page, 'a preview');
    for (const tab of ['Details', 'Links', 'Resize']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel', { name: tab }).getByRole('button').first().waitFor();
      await expectAccessible(page, tab);
    }
    for (const part of ['access', 'tokens', 'webhooks']) {
      await go(`?bucket=media&part=${part}`);
      await page.getByRole('tabpanel').getByRole('button').first().waitFor();
      await expectAccessible(page, part);
    }
  });

  /** Copies the link that the dialog shows. */
  async function copiedLink(): Promise<URL> {
    const { dialog, copied } = files;
    const text = await dialog().getByRole('textbox', { name: 'Link', exact: true }).textContent();
    await dialog().getByRole('button', { name: 'Copy Link' }).click();
    await expect.poll(copied, { timeout: 20_000 }).toBe(text);
    return new URL(await copied());
  }

  /** Of a request without a session to the address of a link. */
  async function statusOf(link: URL): Promise<number> {
    const { project } = files;
    const path = link.pathname + link.search;
    return (await send(project.apiOrigin, { path, headers: { host: project.host } })).status;
  }
});

/** A tenth of a second of silence: 8 bits, 8,000 times a second. */
function silence(): Buffer {
  const samples = 800;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}

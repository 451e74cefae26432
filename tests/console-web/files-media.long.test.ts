// A video plays, transforms make another image of one, and all files of a project move to another store and back.
import { once } from 'node:events';
import { createServer, request } from 'node:http';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { freePort } from '#libs/testing';

import { canvas } from '../storage/image-samples.js';
import { describeWithBrowser } from '../support/browser.js';
import { canRunS3, openS3Server, type S3Server } from '../support/s3-server.js';
import { expectAccessible } from './accessible.js';
import { expectDone } from './colleagues.js';
import { type FilesWorld, openFiles } from './files-world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };

/** Half a second of a moving square, recorded by the browser itself. Base64. */
const recordFilm = `new Promise((done) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 120 });
  const pen = canvas.getContext('2d');
  const chunks = [];
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
  recorder.ondataavailable = ({ data }) => chunks.push(data);
  recorder.onstop = () => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.split(',')[1]);
    reader.readAsDataURL(new Blob(chunks));
  };
  let frame = 0;
  const draw = setInterval(() => {
    pen.fillStyle = frame % 2 ? '#306' : '#063';
    pen.fillRect(0, 0, 160, 120);
    frame += 1;
    if (frame < 15) return;
    clearInterval(draw);
    recorder.stop();
  }, 40);
  recorder.start();
})`;

describeWithBrowser('moving files', () => {
  let files: FilesWorld;
  let page: Page;
  let filmId: string;
  let imageId: string;
  beforeAll(async () => {
    files = await openFiles({ OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' });
    ({ page } = files);
    const blank = await files.world.browser.newPage();
    const film = Buffer.from(await blank.evaluate<string>(recordFilm), 'base64');
    await files.makeBucket('media');
    filmId = await files.put('media', 'square.webm', film, 'video/webm');
    const image = await canvas(60, 30).png().toBuffer();
    imageId = await files.put('media', 'wide.png', image, 'image/png');
  });
  afterAll(() => files.world.close());
  afterEach(() => files.world.expectNoFindings());

  test('a film plays, by a key', async () => {
    await files.go(`?bucket=media&open=${filmId}`);
    const video = files.dialog().locator('video');
    const valueOf = (name: string) =>
      page.evaluate<number>(`document.querySelector('video')?.${name} ?? 0`);
    await expect.poll(() => valueOf('videoWidth'), wait).toBe(160);
    await video.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => valueOf('currentTime'), wait).toBeGreaterThan(0);
    await expectAccessible(page, 'a film');
  });

  test('an image is tried in sizes, fits, qualities and formats, and says what it became', async () => {
    const { dialog } = files;
    await files.go(`?bucket=media&open=${imageId}`);
    await dialog().getByRole('tab', { name: 'Resize' }).click();
    const show = async (wanted: Readonly<Record<string, string>>): Promise<void> => {
      for (const [label, value] of Object.entries(wanted)) {
        const field = dialog().getByLabel(label, { exact: true });
        if (label === 'Fit' || label === 'Format') await field.selectOption(value);
        else await field.fill(value);
      }
      await dialog().getByRole('button', { name: 'Show' }).click();
    };
    await show({ Width: '20', Height: '20', Fit: 'cover', Format: 'webp', Quality: '30' });
    await dialog().getByText('20 × 20 pixels').waitFor();
    await dialog().getByText('image/webp,').waitFor();
    await show({ Fit: 'contain' });
    await dialog().getByText('20 × 10 pixels').waitFor();
    await show({ Fit: 'fill', Height: '25', Format: 'png', Quality: '' });
    await dialog().getByText('20 × 25 pixels').waitFor();
    await dialog().getByText('image/png,').waitFor();
    await show({ Format: 'avif' });
    await dialog().getByText('image/avif,').waitFor();
    const field = dialog().getByLabel('Width', { exact: true });
    await field.fill('9000');
    await dialog().getByRole('button', { name: 'Show' }).click();
    expect(await field.evaluate((input) => input.matches(':invalid'))).toBe(true);
    await expectAccessible(page, 'the transforms');
  });

  (canRunS3() ? describe : describe.skip)('to another store', () => {
    let store: S3Server;
    let door: Door;
    let bucket: string;
    beforeAll(async () => {
      store = await openS3Server();
      door = await openDoor(store.endpoint);
      for (let index = 0; index < 5; index += 1)
        await files.put('media', `text ${index}.txt`, `content ${index}`);
      bucket = await store.createBucket();
      await saveStorage('s3');
    });
    afterAll(async () => {
      await door.close();
      await store.close();
    });

    const saveStorage = (driver: string) =>
      expectDone(
        files.api('PUT', '/admin/settings/storage', {
          driver,
          s3: {
            endpoint: door.origin,
            region: store.region,
            bucket,
            accessKeyId: store.credentials.accessKeyId,
            secretAccessKey: store.credentials.secretAccessKey,
            forcePathStyle: true,
          },
        }),
      );
    const progress = async () =>
      Number(
        await page.getByRole('progressbar', { name: 'Moved files' }).getAttribute('aria-valuenow'),
      );

    test('the move is asked for, shows how far it is, and is done', async () => {
      const { button, dialog } = files;
      await files.go();
      await page.getByText('New files go to an S3 store.').waitFor();
      door.hold('PUT', 2);
      await button('Move all files to S3').click();
      await dialog().getByRole('button', { name: 'Move', exact: true }).click();
      await page
        .getByText(/^Moving from a folder of the server to an S3 store: [12] of 7 files/)
        .waitFor(wait);
      expect(await progress()).toBeLessThan(50);
      await expectAccessible(page, 'a move');
      door.open();
      await page.getByText(/^Moved from a folder of the server to an S3 store/).waitFor(wait);
      expect(await progress()).toBe(100);
      for (let index = 0; index < 5; index += 1)
        expect(await files.contentOf('media', `text ${index}.txt`)).toBe(`content ${index}`);
    });

    test('the move back is stopped, and the files stay where they are', async () => {
      const { button, dialog } = files;
      await saveStorage('local');
      await files.go();
      door.hold('GET', 0);
      await button('Move all files to the folder').click();
      await dialog().getByRole('button', { name: 'Move', exact: true }).click();
      await page
        .getByText(/^Moving from an S3 store to a folder of the server: 0 of 7/)
        .waitFor(wait);
      await button('Stop the move').click();
      await page
        .getByText(/^Stopped moving from an S3 store to a folder of the server: 0 of 7/)
        .waitFor(wait);
      door.open();
      await button('Move all files to the folder').waitFor();
      expect(await files.contentOf('media', 'text 4.txt')).toBe('content 4');
    });
  });
});

/** A way to the store on which requests wait. */
interface Door {
  readonly origin: string;
  /** Lets some requests of a method pass; the next ones wait. */
  hold(method: string, after: number): void;
  open(): void;
  close(): Promise<void>;
}

async function openDoor(endpoint: string): Promise<Door> {
  const { hostname, port } = new URL(endpoint);
  let held: { readonly method: string; left: number } | undefined;
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const pass = (): void => {
      const onward = request({ hostname, port, method, path: url, headers }, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    };
    if (held?.method !== method) pass();
    else if (held && held.left > 0) {
      held.left -= 1;
      pass();
    } else waiting.push(pass);
  });
  const own = await freePort();
  server.listen(own, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${own}`,
    hold(method, after) {
      held = { method, left: after };
    },
    open() {
      held = undefined;
      for (const pass of waiting.splice(0)) pass();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

// The mails of docs/auth as pictures: the templates of the product, filled with its example values, as
// Chromium shows them. `docs/images/auth/drawn.json` has a digest of the page that each picture shows.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';

import sharp from 'sharp';

import { exampleValues, type MailKind, MAIL_KIND_NAMES, renderMail } from '#libs/mail-templates';

import { openBrowser } from '../support/browser.js';

export const pictureFolder = 'docs/images/auth';
const drawnFile = `${pictureFolder}/drawn.json`;
const size = { width: 600, height: 100 };
/** Enough for letters with smooth edges. */
const colours = 48;
/** What the product leaves out of the mails that it sends by itself. */
const ABSENT = { verifyEmail: 'code', inviteMember: 'url' } as const;

/** A digest of the page that the picture of a kind is drawn from. */
export function digestOf(kind: MailKind): string {
  return createHash('sha256').update(pageOf(kind)).digest('hex').slice(0, 16);
}

/** The digests that the pictures were drawn from, by kind. */
export function readDrawn(): unknown {
  return JSON.parse(readFileSync(drawnFile, 'utf8'));
}

/** Draws the picture of every kind again. */
export async function drawPictures(): Promise<void> {
  await mkdir(pictureFolder, { recursive: true });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    for (const kind of MAIL_KIND_NAMES) {
      // One after the other: they share the page.
      await page.setViewportSize(size);
      await page.setContent(pageOf(kind));
      const shot = sharp(await page.screenshot({ fullPage: true }));
      await shot.png({ palette: true, colours, effort: 10 }).toFile(`${pictureFolder}/${kind}.png`);
    }
  } finally {
    await browser.close();
  }
  const drawn = Object.fromEntries(MAIL_KIND_NAMES.map((kind) => [kind, digestOf(kind)]));
  await writeFile(drawnFile, `${JSON.stringify(drawn, null, 2)}\n`);
}

/** The mail with its subject above it, as mail programs show it. */
function pageOf(kind: MailKind): string {
  const absent = Object.entries(ABSENT).find(([name]) => name === kind)?.[1];
  const { subject, html } = renderMail(kind, undefined, {
    ...exampleValues(kind),
    ...(absent !== undefined && { [absent]: undefined }),
    appName: 'Shop',
    siteUrl: 'https://shop.example',
  });
  const heading = `<div style="padding:16px 24px;background:#fff;border-bottom:1px solid #d5d8dd;font:bold 16px Arial,Helvetica,sans-serif;color:#16181d">${subject}</div>`;
  return html.replace(/<body[^>]*>/, (body) => body + heading);
}

// `npm run pictures`: a picture of each screen of the console, light and dark, wide and narrow. Those that the documents
// show are in docs/pictures, the others in dist/pictures. `npm run pictures -- tables users` takes these alone.
import { mkdir } from 'node:fs/promises';

import type { BrowserContext } from 'playwright-core';
import sharp from 'sharp';

import type { ConsoleSite } from './console-site.js';
import { runOnSite } from './run-on-site.js';
import { chosen, type Screen, screens } from './screens.js';

const documentFolder = 'docs/pictures';
const otherFolder = 'dist/pictures';
/** Enough for letters with smooth edges in both themes. */
const colours = 128;
const visitCount = 2_000;

const sights = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 360, height: 760 },
  { theme: 'dark', width: 360, height: 760 },
] as const;

type Sight = (typeof sights)[number];

await runOnSite('pictures', async ({ args, say, openSite }) => {
  const asked = chosen(screens, args);
  const site = await openSite(visitCount);
  await mkdir(documentFolder, { recursive: true });
  await mkdir(otherFolder, { recursive: true });
  for (const sight of sights) {
    for (const screen of asked) {
      const file = fileOf(screen, sight);
      // One after the other: each has the machine for itself.
      await takePicture(site, screen, { sight, file });
      say(file);
    }
  }
});

function fileOf({ name }: Screen, { theme, width }: Sight): string {
  const isShown = theme === 'light' && width === 1440;
  return isShown ? `${documentFolder}/${name}.png` : `${otherFolder}/${name}-${theme}-${width}.png`;
}

async function takePicture(
  site: ConsoleSite,
  screen: Screen,
  { sight, file }: { readonly sight: Sight; readonly file: string },
): Promise<void> {
  const person = await site.newPerson(screen, {
    viewport: { width: sight.width, height: sight.height },
    colorScheme: sight.theme,
    reducedMotion: 'reduce',
  });
  try {
    const shot = await shoot(site, screen, person);
    await sharp(shot).png({ palette: true, colours, effort: 10 }).toFile(file);
  } finally {
    await person.close();
  }
}

async function shoot(site: ConsoleSite, screen: Screen, person: BrowserContext): Promise<Buffer> {
  const page = await person.newPage();
  await page.goto(site.url(screen.path));
  await page.evaluate(`probe.ready(${JSON.stringify(screen.ready)})`);
  await screen.prepare?.(page);
  await page.evaluate('probe.settled()');
  return page.screenshot();
}

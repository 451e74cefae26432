// `npm run console-figures`: how long a person waits for each screen of the console, what moves meanwhile, and how
// evenly 100,000 rows scroll. The table has medians. `-- tables users` measures these screens alone. The exit code is 1
// where bytes, requests in a row or layout shift miss their limits. Times depend on the machine, and are reported alone.
import { availableParallelism, cpus, loadavg } from 'node:os';

import type { Page } from 'playwright-core';

import type { ConsoleSite } from './console-site.js';
import {
  type Frames,
  type FirstLoad,
  misses,
  type Opening,
  renderFigures,
  type ScreenFigures,
  slow,
} from './figures-report.js';
import { runOnSite } from './run-on-site.js';
import { chosen, parts, type Screen, screens, type Way } from './screens.js';

const rows = 100_000;
const coldTimes = 3;
const warmTimes = 5;
const viewport = { width: 1440, height: 900 };
/** Pixels in each frame: as a wheel that is turned fast, and as a scrollbar that is dragged through the whole table. */
const speeds = [
  { name: 'wheel', step: 120 },
  { name: 'scrollbar', step: 5_500 },
] as const;
const mostFrames = 600;

await runOnSite('console-figures', async ({ args, say, openSite }) => {
  const asked = chosen([...screens, ...parts], args);
  const site = await openSite(rows);
  say('measuring the first load');
  const first = await measureFirstLoad(site);
  const figures: ScreenFigures[] = [];
  for (const screen of asked) {
    say(`measuring ${screen.name}`);
    // One after the other: each has the machine for itself.
    figures.push(await measureScreen(site, screen));
  }
  say('scrolling');
  const frames = await measureScrolling(site);
  const [cpu] = cpus();
  console.log(renderFigures({ first, figures, frames }));
  console.log(
    `\nprocessors: ${availableParallelism()} (${cpu?.model.trim() ?? 'unknown'}), load of the last minute: ${(loadavg()[0] ?? 0).toFixed(1)}`,
  );
  for (const time of slow({ first, figures, frames })) console.log(`slow here: ${time}`);
  const missed = misses({ first, figures, frames });
  for (const miss of missed) console.log(`missed: ${miss}`);
  if (missed.length > 0) process.exitCode = 1;
});

/** The list of projects with an empty cache. */
async function measureFirstLoad(site: ConsoleSite): Promise<FirstLoad> {
  const openings: Opening[] = [];
  let bytes = new Map<string, number>();
  for (let time = 0; time < coldTimes; time += 1) {
    const person = await site.newPerson({}, { viewport });
    const page = await person.newPage();
    bytes = await countBytes(page);
    openings.push(await load(page, site.url('/projects'), 'Recipe blog'));
    await person.close();
  }
  return { openings, bytes };
}

/** Counts what is received from now on, by its kind: bytes of bodies and headers as they are sent. */
async function countBytes(page: Page): Promise<Map<string, number>> {
  const session = await page.context().newCDPSession(page);
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  await session.send('Network.enable');
  return bytes;
}

async function measureScreen(site: ConsoleSite, screen: Screen): Promise<ScreenFigures> {
  const cold: Opening[] = [];
  const warm: Opening[] = [];
  for (let time = 0; time < coldTimes; time += 1) {
    const person = await site.newPerson(screen, { viewport });
    const page = await person.newPage();
    if (screen.way) {
      cold.push(await openCold(site, page, screen, screen.way));
      if (time === 0) warm.push(...(await openWarm(page, screen, screen.way)));
    } else {
      cold.push(await load(page, site.url(screen.path), screen.ready));
    }
    await person.close();
  }
  return { title: screen.title, isByAddress: screen.way === undefined, cold, warm };
}

/** From another screen, by a click; the page has loaded nothing of the screen. */
async function openCold(site: ConsoleSite, page: Page, screen: Screen, way: Way): Promise<Opening> {
  await page.goto(site.url(way.from));
  await page.evaluate(`probe.ready(${JSON.stringify(way.fromReady)})`);
  await page.evaluate('probe.settled()');
  return click(page, screen, way);
}

/** Back and again: the code is there, and what the screen has read is a moment old. */
async function openWarm(page: Page, screen: Screen, way: Way): Promise<Opening[]> {
  const openings: Opening[] = [];
  for (let time = 0; time < warmTimes; time += 1) {
    await page.goBack();
    await page.evaluate(`probe.ready(${JSON.stringify(way.fromReady)})`);
    await page.evaluate('probe.settled()');
    openings.push(await click(page, screen, way));
  }
  return openings;
}

async function click(page: Page, screen: Screen, { menu, click: target, ready }: Way) {
  if (menu) {
    await page.locator(menu.selector).and(page.getByLabel(menu.name)).click();
    await page.locator(target.selector).filter({ hasText: target.name }).waitFor();
  }
  const words = [target, ready ?? screen.ready].map((word) => JSON.stringify(word)).join(', ');
  return page.evaluate<Opening>(`probe.click(${words})`);
}

/** By its address. */
async function load(page: Page, url: string, ready: string): Promise<Opening> {
  // The measurement begins with the page itself.
  await page.context().addInitScript(`window.loaded = probe.load(${JSON.stringify(ready)})`);
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate<Opening>('loaded');
}

/** A table of many rows is scrolled to its end; the last row is there then. */
async function measureScrolling(site: ConsoleSite): Promise<readonly Frames[]> {
  const measured: Frames[] = [];
  for (const { name, step } of speeds) {
    const person = await site.newPerson({}, { viewport });
    const page = await person.newPage();
    await page.goto(site.url('/projects/:ref/tables?table=visits'));
    await page.evaluate(`probe.ready('/products/2')`);
    await page.evaluate('probe.settled()');
    const times = await page.evaluate<readonly number[]>(`probe.scroll(${step}, ${mostFrames})`);
    measured.push({ name, step, times });
    await person.close();
  }
  return measured;
}

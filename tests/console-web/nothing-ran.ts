// Whether a script ran that was stored as a name or as content. Such scripts set `window.broken`.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const painted = `Promise.allSettled(
  [...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode()),
).then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))`;

/** Checks after the pictures of the page are read, so that a failed one has called its `onerror`, and after a paint. */
export async function expectNothingRan(page: Page): Promise<void> {
  await page.evaluate(painted);
  expect(await page.evaluate('window.broken')).toBeUndefined();
}

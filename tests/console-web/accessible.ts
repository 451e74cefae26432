// What axe and the width of a page say about a sight of the console.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Fails if axe finds something on the page as it is, or if its content is wider than the page. */
export async function expectAccessible(page: Page, sight: string): Promise<void> {
  // Colors are compared when they have stopped changing.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly Finding[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations)`,
  );
  const findings = found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
  expect(findings, sight).toEqual([]);
  const excess = await page.evaluate<number>(
    'document.documentElement.scrollWidth - window.innerWidth',
  );
  expect(excess, `${sight} is wider than the page`).toBeLessThanOrEqual(0);
}

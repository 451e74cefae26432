// How much JavaScript a browser loads before the list of projects is usable. The sizes are those of the compressed
// files as they are sent, so the figure is the same in each run. `npm run console-size` prints it.
import { expect, test, vi } from 'vitest';

import { initialFiles } from '../../scripts/initial-files.mjs';
import { builtPages } from './world.js';

vi.setConfig({ testTimeout: 120_000 });

const maxBytes = 130_000;
const maxBytesOfFile = 200_000;

test('sign-in and projects need at most 130 KB of compressed JavaScript', async () => {
  const { page, assets } = await builtPages();
  const read = async (name: string): Promise<string> => String(assets.get(name)?.plain);
  const files = await initialFiles(page, [...assets.keys()], read);
  const sizes = files.map((name) => assets.get(name)?.br?.length ?? Number.NaN);
  expect(files.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes);
});

test('each file that is loaded later has at most 200 KB', async () => {
  const { assets } = await builtPages();
  const scripts = [...assets].filter(([name]) => name.endsWith('.js'));
  const large = scripts.filter(([, { br }]) => (br?.length ?? Infinity) > maxBytesOfFile);
  expect(large.map(([name]) => name)).toEqual([]);
});

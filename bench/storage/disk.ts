// What the disk gives: the same bytes, written and brought to the disk by dd.

import { rm } from 'node:fs/promises';
import { outputOf } from './tools.js';

/** The seconds in the line of figures that dd ends with; fsync is part of them. */
export function parseSeconds(output: string): number {
  const seconds = Number(/ copied, ([\d.e+-]+) s/.exec(output)?.[1]);
  if (seconds > 0) return seconds;
  throw new Error(`dd wrote "${output.trim()}"`);
}

/** Writes `file` to a new file `to`, and gives the seconds that took. */
export async function writeWithDd(file: string, to: string): Promise<number> {
  await rm(to, { force: true });
  const { stderr } = await outputOf('dd', [`if=${file}`, `of=${to}`, 'bs=1M', 'conv=fsync']);
  return parseSeconds(stderr);
}

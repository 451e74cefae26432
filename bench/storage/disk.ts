// What the disk gives: the same bytes, written and brought to the disk by dd.

import { outputOf } from './tools.js';

/** The seconds in the line of figures that dd ends with; fsync is part of them. */
export function parseSeconds(output: string): number {
  const seconds = Number(/ copied, ([\d.e+-]+) s/.exec(output)?.[1]);
  if (seconds > 0) return seconds;
  throw new Error(`dd wrote "${output.trim()}"`);
}

/**
 * Writes `file` to `to`, and gives the seconds that took. Let `to` be a name that was not there before, and keep the
 * file, as uploads do: writing where the system has just freed memory is four times as fast.
 */
export async function writeWithDd(file: string, to: string): Promise<number> {
  const { stderr } = await outputOf('dd', [`if=${file}`, `of=${to}`, 'bs=1M', 'conv=fsync']);
  return parseSeconds(stderr);
}

// Which part of the table a run is asked for.

import type { TargetName, Work } from './rate-book.js';

/** Whether one of the texts, separated by commas, is part of `target/work`; no text asks for all. */
export function isAskedFor(only: string, target: TargetName, work: Work): boolean {
  return only.split(',').some((text) => `${target}/${work}`.includes(text.trim()));
}

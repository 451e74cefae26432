// The table of what is measured.

import type { BenchCase, CaseName } from './case.js';
import { READS } from './reads.js';
import { WRITES } from './writes.js';

export const CASES: readonly BenchCase[] = [...READS, ...WRITES];

export function caseOf(name: CaseName): BenchCase {
  const found = CASES.find((measured) => measured.name === name);
  if (found === undefined) throw new Error(`There is no case ${name}`);
  return found;
}

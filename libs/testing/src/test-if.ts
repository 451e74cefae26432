import { describe, test } from 'vitest';

/** Returns `test` if `condition` holds, else a skipped test with the reason in the output. */
export function testIf(condition: boolean, reason: string): typeof test | typeof test.skip {
  if (!condition) sayWhy(reason);
  return condition ? test : test.skip;
}

/** The same for a group of tests. */
export function describeIf(
  condition: boolean,
  reason: string,
): typeof describe | typeof describe.skip {
  if (!condition) sayWhy(reason);
  return condition ? describe : describe.skip;
}

function sayWhy(reason: string): void {
  process.stderr.write(`skipped: ${reason}\n`);
}

// How much is tried: little with all other tests, much at night (`npm run fuzz`), and where to begin.

/** Cases of a test that tries `usual` of them when nobody asks for more. */
export function runsOf(usual: number): number {
  return Number(process.env['FUZZ_RUNS'] ?? usual);
}

/** The same seed makes the same cases. */
export const seed = Number(process.env['FUZZ_SEED'] ?? 1);

/** Shares of the fleet in the waves after the first project; the last wave is the rest. */
const shares = [0.05, 0.25] as const;

/** The last wave. */
export const lastWave = shares.length + 2;

/** Returns how many of `total` projects each wave has: one, 5 %, 25 %, the rest. */
export function waveSizes(total: number): readonly number[] {
  const sizes: number[] = [];
  let left = total;
  for (const wanted of [1, ...shares.map((share) => Math.ceil(total * share)), total]) {
    const size = Math.min(wanted, left);
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/** The share of a wave that may fail. */
const maxFailedShare = 0.1;

/** Whether this number of failures in a wave stops the upgrade. */
export const isTooMany = (failed: number, size: number): boolean => failed > size * maxFailedShare;

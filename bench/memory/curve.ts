// A row of samples read as a curve: whether it still grows, and how it looks.

const BLOCKS = '▁▂▃▄▅▆▇█';

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * By how much the last half of a curve grows from its beginning to its end, as a share of its mean: the
 * straight line through the samples, so that one high sample does not decide. Undefined for fewer than
 * three samples in the half.
 */
export function growthOfLastHalf(values: readonly number[]): number | undefined {
  const half = values.slice(Math.floor(values.length / 2));
  if (half.length < 3) return undefined;
  const middle = mean(half);
  if (middle === 0) return 0;
  const center = (half.length - 1) / 2;
  let along = 0;
  let spread = 0;
  for (const [index, value] of half.entries()) {
    along += (index - center) * (value - middle);
    spread += (index - center) ** 2;
  }
  return ((along / spread) * (half.length - 1)) / middle;
}

/** A block for each value, from the lowest to the highest; a flat curve is a row of low ones. */
export function blocks(values: readonly number[]): string {
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  return values
    .map((value) => {
      const height = range === 0 ? 0 : (value - low) / range;
      return BLOCKS[Math.round(height * (BLOCKS.length - 1))] ?? '';
    })
    .join('');
}

/** At most `count` of the values, evenly spread, the first and the last among them. */
export function thinned<Value>(values: readonly Value[], count: number): readonly Value[] {
  if (values.length <= count) return values;
  return Array.from({ length: count }, (_, index) => {
    const value = values[Math.round((index * (values.length - 1)) / (count - 1))];
    return value === undefined ? [] : [value];
  }).flat();
}

// Measures the current speed of this machine, for time limits that were set on another machine.

/** How long the work of `speedFactor` takes on the reference machine. */
const referenceMs = 8;
const sample = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ id: at, text: 'abc' })));

/** Returns how many times slower than the reference this machine is; at least 1. */
export function speedFactor(): number {
  const times = Array.from({ length: 7 }, () => {
    const begun = performance.now();
    JSON.parse(sample);
    return performance.now() - begun;
  });
  return Math.max(1, times.toSorted((a, b) => a - b)[3]! / referenceMs); // Number of measurements.
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Memory {
  /** Objects that are in use. */
  readonly heapMb: number;
  /** The whole process. */
  readonly rssMb: number;
}

/** The memory of this process after everything that is unused was collected, which stops it for a moment. */
export function memoryNow(): Memory {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapMb: Math.round(heapUsed / 2 ** 20), rssMb: Math.round(rss / 2 ** 20) };
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  // The flag shows the function in contexts that are made after it.
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') gc();
}

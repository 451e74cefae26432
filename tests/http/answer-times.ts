// How long answers take, in comparison: nothing here depends on how fast the machine is.

/** What is timed; it gives how long it took in milliseconds. */
export type Timed = () => Promise<number>;

const samples = 21;
const attempts = 3;

/** Milliseconds on the clock: what is waited for shows. */
export async function clockTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of computing in this process, which is the server: what else the machine does takes no part. */
export async function computingTime(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Takes the samples in turns, so that a slow second and the work that goes on afterwards hit all. */
export async function mediansInTurns(works: readonly Timed[]): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (let sample = 0; sample < samples; sample += 1) {
    for (const turn of works.keys()) {
      const index = (turn + sample) % works.length;
      const work = works[index];
      if (work) times[index]?.push(await work());
    }
  }
  return times.map(median);
}

/** Takes the samples side by side, for what waits by design. */
export async function mediansAtOnce(works: readonly Timed[]): Promise<readonly number[]> {
  const times = works.map((): Promise<number>[] => []);
  for (let sample = 0; sample < samples; sample += 1) {
    for (const turn of works.keys()) {
      const index = (turn + sample) % works.length;
      const work = works[index];
      if (work) times[index]?.push(work());
    }
  }
  return Promise.all(times.map(async (each) => median(await Promise.all(each))));
}

/**
 * The least of some measurements, the first that is below `bound` being enough. What else a busy machine does may
 * spoil one of them; a defence that is missing shows in every one.
 */
export async function leastOf(measure: Timed, bound: number): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < attempts && !(least < bound); attempt += 1) {
    least = Math.min(least, await measure());
  }
  return least;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

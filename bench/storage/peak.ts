// The most memory that another process held, from the kernel's books. Linux only: other systems give undefined
// and the report says "not measured".

import { readFileSync, writeFileSync } from 'node:fs';

const BYTES_OF_KIBIBYTE = 1024;
// Makes the peak what is held now (proc_pid_clear_refs(5)).
const FORGET_PEAK = '5';

export interface Resident {
  readonly nowBytes: number;
  readonly peakBytes: number;
}

/** Reads VmRSS and VmHWM of proc_pid_status(5). */
export function parseResident(status: string): Resident {
  const read = (name: string): number => {
    const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    if (kibibytes === undefined) throw new Error(`The status of the process has no ${name}`);
    return Number(kibibytes) * BYTES_OF_KIBIBYTE;
  };
  return { nowBytes: read('VmRSS'), peakBytes: read('VmHWM') };
}

function readResident(pid: number): Resident {
  return parseResident(readFileSync(`/proc/${String(pid)}/status`, 'latin1'));
}

/** What a process holds from now on is its peak; gives the bytes. */
function forgetPeak(pid: number): number {
  writeFileSync(`/proc/${String(pid)}/clear_refs`, FORGET_PEAK);
  return readResident(pid).nowBytes;
}

/** Why the peak of a process cannot be read; undefined where it can. */
export function whyNoPeak(pid: number): string | undefined {
  try {
    forgetPeak(pid);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Does the work and gives its result, and how far the memory of the process rose meanwhile at most. */
export async function growthDuring<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly grownBytes: number }> {
  const before = forgetPeak(pid);
  const result = await work();
  return { result, grownBytes: Math.max(0, readResident(pid).peakBytes - before) };
}

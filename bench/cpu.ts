// CPU time of another process, from the kernel's books. Linux only: other systems give undefined and
// the report says "not measured".

import { readFileSync } from 'node:fs';

// The kernel reports user-space times in ticks of 1/100 s on every Linux architecture Node runs on.
const MICROS_PER_TICK = 10_000;

/** User and system CPU time of a process with all its threads, in microseconds since its start. */
export function cpuMicrosOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  return parseCpuMicros(readFileSync(`/proc/${String(pid)}/stat`, 'latin1'));
}

/**
 * Reads utime and stime (fields 14 and 15, proc(5)) of a stat line.
 * The command name may hold spaces and parentheses, so counting begins after the last `)`.
 */
export function parseCpuMicros(stat: string): number {
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(afterName[11]) + Number(afterName[12]);
  if (!Number.isFinite(ticks)) throw new Error('The stat line of the process has no CPU times');
  return ticks * MICROS_PER_TICK;
}

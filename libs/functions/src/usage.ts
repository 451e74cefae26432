// What a process uses, as the system counts it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Usage {
  /** Processor time since the start of the process, in milliseconds; steps of 10 on Linux. */
  readonly cpuMs: number;
  readonly memoryKb: number;
}

/** Linux counts processor time in ticks of 10 ms, on every architecture (proc(5), `sysconf(_SC_CLK_TCK)`). */
const tickMs = 10;
let pageKb: number | undefined;

/** Returns undefined for a process that has ended. Linux has it in a file; elsewhere it takes some milliseconds. */
export function readUsage(pid: number): Usage | undefined {
  try {
    if (process.platform === 'linux') return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const args = ['-o', 'rss=,time=', '-p', String(pid)];
    return parsePs(execFileSync('/bin/ps', args, { encoding: 'utf8' }));
  } catch {
    return undefined; // The process ends while it is read.
  }
}

/** Reads `/proc/<pid>/stat` (proc_pid_stat(5)): fields 14 and 15 are ticks, 24 is pages. */
export function parseStat(stat: string): Usage {
  // Fields are counted after the name, which is in parentheses and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * tickMs;
  pageKb ??= readPageKb();
  return { cpuMs, memoryKb: Number(fields[21]) * pageKb };
}

/** Pages of ARM can have 16 or 64 KB. */
function readPageKb(): number {
  const maps = readFileSync('/proc/self/smaps', 'utf8');
  return Number(/^KernelPageSize:\s+(\d+) kB/m.exec(maps)?.[1] ?? 4);
}

/** Reads `rss` in KB and `time` as `[[days-]hours:]minutes:seconds[.hundredths]`. */
export function parsePs(line: string): Usage | undefined {
  const [memory, time] = line.trim().split(/\s+/);
  if (memory === undefined || time === undefined) return undefined;
  const [clock = '', days = '0'] = time.split('-').toReversed();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpuMs: Math.round((Number(days) * 86_400 + seconds) * 1000), memoryKb: Number(memory) };
}

// The memory of functions that run and have nothing to do. Linux counts a page that several processes share in equal
// parts for each (PSS), so that the sum is what all of them take. Other systems do not, and have no figure.

import { readdirSync, readFileSync } from 'node:fs';
import type { Measurement } from '../rate-book.js';
import type { CheckedSeries } from '../storage/place.js';
import { HELLO_CODE } from './code.js';
import { IDLE, IDLE_FUNCTIONS } from './demands.js';
import { administer, createFunction, type FunctionPlace, timeOfCall } from './place.js';

const BYTES_OF_KIBIBYTE = 1024;
const slugs = Array.from({ length: IDLE_FUNCTIONS }, (_, index) => `idle-${String(index)}`);

/** Reads Pss of a roll-up of mappings (proc_pid_smaps(5)), in bytes. */
export function parsePss(rollup: string): number {
  const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1];
  if (kibibytes === undefined) throw new Error('The roll-up of the process has no Pss');
  return Number(kibibytes) * BYTES_OF_KIBIBYTE;
}

/** Whether the line of proc_pid_stat(5) is that of a process of Deno that `parent` has started. */
export function isDenoOf(parent: number, stat: string): boolean {
  const [, name, parentId] = /^\d+ \((.*)\) \S (\d+) /.exec(stat) ?? [];
  return name === 'deno' && Number(parentId) === parent;
}

function denoProcessesOf(parent: number): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return isDenoOf(parent, readFileSync(`/proc/${name}/stat`, 'latin1'));
    } catch {
      // A process that has ended meanwhile.
      return false;
    }
  });
}

function meanPss(parent: number): number {
  const processes = denoProcessesOf(parent);
  if (processes.length !== IDLE_FUNCTIONS) {
    throw new Error(`${String(processes.length)} processes of Deno run`);
  }
  const all = processes.map((id) => parsePss(readFileSync(`/proc/${id}/smaps_rollup`, 'latin1')));
  return all.reduce((sum, bytes) => sum + bytes, 0) / IDLE_FUNCTIONS;
}

export function openIdle(place: FunctionPlace): Promise<CheckedSeries[]> {
  let secrets = 0;
  /** The processes that run end with the next call. */
  const endProcesses = async (): Promise<void> => {
    secrets += 1;
    await administer(place, 'PUT', '/secrets', { ROUND: String(secrets) });
  };
  return Promise.resolve([
    {
      key: IDLE,
      async faultOf() {
        if (process.platform !== 'linux') return 'it is measured on Linux alone';
        for (const slug of slugs) await createFunction(place, slug, HELLO_CODE);
        await timeOfCall(place, slugs[0] ?? '');
        return undefined;
      },
      async measure(): Promise<Measurement> {
        await endProcesses();
        const startedAt = performance.now();
        for (const slug of slugs) await timeOfCall(place, slug);
        const perSecond = (IDLE_FUNCTIONS * 1000) / (performance.now() - startedAt);
        const grownBytes = meanPss(place.product.current().pid);
        // Their watches must not take part in what is measured next.
        await endProcesses();
        await timeOfCall(place, slugs[0] ?? '');
        return { perSecond, grownBytes };
      },
    },
  ]);
}

// How a memory run asks the product's process.

import type { ChildProcess } from 'node:child_process';

export interface MemoryReading {
  readonly kind: 'memory';
  readonly rssBytes: number;
  /** JavaScript values that are alive. */
  readonly heapBytes: number;
  /** What they hold outside of the heap, such as buffers. */
  readonly externalBytes: number;
}

const LIMIT_MS = 30_000;

/** Loads the probe into a process of Node.js, and lets it collect garbage when asked. */
export const PROBE_ARGUMENTS: readonly string[] = [
  '--expose-gc',
  '--import',
  new URL('./probe.js', import.meta.url).href,
];

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? message.kind
    : undefined;
}

export function isMemoryQuestion(message: unknown): boolean {
  return kindOf(message) === 'memory?';
}

function isMemoryReading(message: unknown): message is MemoryReading {
  return kindOf(message) === 'memory';
}

/** Rejects when the process has no probe or does not answer in time. */
export async function askMemory(running: ChildProcess): Promise<MemoryReading> {
  if (!running.connected) throw new Error('The process has no memory probe');
  return new Promise((done, refuse) => {
    const limit = setTimeout(() => refuse(new Error('The memory probe is silent')), LIMIT_MS);
    const listen = (message: unknown): void => {
      if (!isMemoryReading(message)) return;
      clearTimeout(limit);
      running.off('message', listen);
      done(message);
    };
    running.on('message', listen);
    running.send({ kind: 'memory?' });
  });
}

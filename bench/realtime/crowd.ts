// The measuring side of the process of many sockets.

import { readFileSync } from 'node:fs';
import { startChild } from '../child.js';
import { isCrowdAnswer, type CrowdAnswer, type CrowdPlan } from './crowd-plan.js';

export type CrowdDone = Extract<CrowdAnswer, { readonly kind: 'done' }>;

export interface CrowdProcess {
  /** Rejects with what went wrong. Several plans may be under way at a time. */
  run(plan: CrowdPlan): Promise<CrowdDone>;
  stop(): Promise<void>;
}

/** Descriptors that a process needs besides its sockets. */
const SPARE_FILES = 500;

/** Files and sockets that a process may have open. Node.js raises its soft limit to the hard one when it starts. */
export function openFilesLimit(): number {
  if (process.platform !== 'linux') return Infinity;
  const [, , hard = ''] = /^Max open files\s+(\S+)\s+(\S+)/m.exec(
    readFileSync('/proc/self/limits', 'latin1'),
  ) ?? ['', '', ''];
  return hard === 'unlimited' ? Infinity : Number(hard);
}

/** How many of the wanted sockets this machine allows in one process. */
export function allowedSockets(wanted: number): number {
  return Math.min(wanted, openFilesLimit() - SPARE_FILES);
}

export function openCrowds(): CrowdProcess {
  const child = startChild('./sockets.js');
  const waiting = new Map<number, (answer: CrowdAnswer) => void>();
  let next = 0;
  child.process.on('message', (message: unknown) => {
    if (!isCrowdAnswer(message)) return;
    waiting.get(message.number)?.(message);
    waiting.delete(message.number);
  });
  child.process.once('exit', () => {
    for (const [number, settle] of waiting) {
      settle({ kind: 'error', number, message: 'The process of sockets has ended' });
    }
  });
  return {
    async run(plan) {
      if (!child.process.connected) throw new Error('The process of sockets has ended');
      const number = next;
      next += 1;
      const answered = new Promise<CrowdAnswer>((resolve) => waiting.set(number, resolve));
      child.process.send({ number, plan });
      const answer = await answered;
      if (answer.kind === 'error') throw new Error(answer.message);
      return answer;
    },
    stop: () => child.stop(),
  };
}

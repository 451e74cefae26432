// The process of many sockets: opens them, joins with them and counts what they receive. It is a process of
// its own so that its CPU time and memory are never taken for the server's.

import { countEvents } from './realtime/count-events.js';
import {
  isCrowdRequest,
  type AwaitPlan,
  type CrowdAnswer,
  type CrowdPlan,
  type JoinPlan,
  type OpenPlan,
} from './realtime/crowd-plan.js';
import { joinTopic, LoadSocket, machineMs } from './realtime/load-socket.js';

/** Sockets of one address of this machine: the product closes connections beyond 1,000 of an address. */
const SOCKETS_OF_ADDRESS = 500;
const LOOK_EVERY_MS = 250;

class Crowd {
  readonly #sockets = new Map<number, LoadSocket>();
  readonly #received: number[] = [];
  readonly #waits = new Set<Wait>();

  async open({ target, count, auths, atOnce }: OpenPlan): Promise<void> {
    const first = this.#received.length;
    this.#received.push(...Array.from({ length: count }, () => 0));
    await eachOf(count, atOnce, async (index) => {
      const place = first + index;
      const socket = await LoadSocket.open(target, {
        auth: auths[index % auths.length] ?? {},
        ...addressOf(place),
        take: (packet) => this.#count(place, countEvents(packet)),
      });
      this.#sockets.set(place, socket);
    });
  }

  async join({ join, atOnce }: JoinPlan): Promise<void> {
    const sockets = [...this.#sockets.values()];
    await eachOf(sockets.length, atOnce, async (index) => {
      const socket = sockets[index];
      if (socket !== undefined) await joinTopic(socket, join);
    });
  }

  async untilReceived({ events, limitMs }: AwaitPlan): Promise<number> {
    const missing = this.#received.filter((count) => count < events).length;
    if (missing === 0) return machineMs();
    const wait = new Wait(events, missing);
    this.#waits.add(wait);
    const giveUpAt = machineMs() + limitMs;
    const watch = setInterval(() => {
      const failure = this.#failure();
      if (failure !== undefined) wait.refuse(failure);
      if (machineMs() > giveUpAt) wait.refuse(new Error(this.#lateText(events)));
    }, LOOK_EVERY_MS);
    try {
      return await wait.done;
    } finally {
      clearInterval(watch);
      this.#waits.delete(wait);
    }
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close();
  }

  /** Why a socket has ended; undefined while all are open. */
  #failure(): Error | undefined {
    for (const { failure } of this.#sockets.values()) if (failure !== undefined) return failure;
    return undefined;
  }

  #count(place: number, events: number): void {
    const before = this.#received[place] ?? 0;
    this.#received[place] = before + events;
    for (const wait of this.#waits) wait.note(before, before + events);
  }

  #lateText(events: number): string {
    const late = this.#received.filter((count) => count < events);
    const least = late.reduce((found, count) => Math.min(found, count), events);
    return `${String(late.length)} of ${String(this.#received.length)} sockets have not received ${String(events)} events in time; the fewest are ${String(least)}`;
  }
}

/** Ends when a number of sockets have each received a number of events. */
class Wait {
  readonly done: Promise<number>;
  #resolve: (atMs: number) => void = () => undefined;
  refuse: (error: Error) => void = () => undefined;

  constructor(
    private readonly events: number,
    private missing: number,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.refuse = reject;
    });
  }

  note(before: number, after: number): void {
    if (before >= this.events || after < this.events) return;
    this.missing -= 1;
    if (this.missing === 0) this.#resolve(machineMs());
  }
}

function addressOf(place: number): { readonly from?: string } {
  // Other systems have 127.0.0.1 alone.
  if (process.platform !== 'linux') return {};
  return { from: `127.0.0.${String(2 + Math.floor(place / SOCKETS_OF_ADDRESS))}` };
}

/** Does the work for each index, a few at a time. */
async function eachOf(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const take = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, take));
}

const crowds = new Map<string, Crowd>();

/** Gives when it was done. */
async function carryOut(plan: CrowdPlan): Promise<number> {
  const crowd = crowds.get(plan.crowd) ?? new Crowd();
  crowds.set(plan.crowd, crowd);
  switch (plan.kind) {
    case 'open':
      await crowd.open(plan);
      return machineMs();
    case 'join':
      await crowd.join(plan);
      return machineMs();
    case 'await':
      return crowd.untilReceived(plan);
    case 'close':
      crowd.close();
      crowds.delete(plan.crowd);
      return machineMs();
  }
}

async function answer(number: number, plan: CrowdPlan): Promise<CrowdAnswer> {
  const startedAt = machineMs();
  try {
    const atMs = await carryOut(plan);
    return { kind: 'done', number, atMs, seconds: (atMs - startedAt) / 1000 };
  } catch (error) {
    return { kind: 'error', number, message: error instanceof Error ? error.message : 'unknown' };
  }
}

process.on('message', (message: unknown) => {
  if (!isCrowdRequest(message)) return;
  void answer(message.number, message.plan).then((reply) => process.send?.(reply));
});
process.once('disconnect', () => process.exit());

// Keeps the gate of the outbox open for what this process listens to. An opening says from when on everything is written.

import { randomUUID } from 'node:crypto';
import type { Clock, RealtimeDatabase, Timer } from '../ports.js';
import { openGate, readPosition, stillRunning } from './feed.sql.js';

export interface Opening {
  /** Changes that commit after it are written, once the opening is complete. */
  readonly position: string;
  /** Whether transactions are still running that may have written while the gate was closed. */
  readonly isWarming: boolean;
  /** Resolves when the last of them has ended, or when the gate is closed. */
  readonly complete: Promise<void>;
}

export interface SharedOpening extends Omit<Opening, 'position'> {
  readonly position: string | undefined;
}

export interface GateOptions {
  /** How long the gate stays open if this process dies; renewed at a third of it. */
  readonly seconds: number;
  /** How long an opening waits for running transactions. */
  readonly maxWaitMs: number;
}

interface Bit {
  uses: number;
  /** The transaction that opened it. */
  txid: string | undefined;
  /** Of the first use; later ones share it. */
  readonly opening: Promise<Opening>;
  /** Lines are read from its opening on: a position from before would not be one to come back with. */
  isReached: boolean;
}

const firstPauseMs = 5;
const maxPauseMs = 500;
const retryMs = 1_000;

/** The gate as this process uses it. */
export class Gate {
  readonly #db: RealtimeDatabase;
  readonly #clock: Clock;
  readonly #options: GateOptions;
  readonly #node = randomUUID();
  readonly #bits = new Map<number, Bit>();
  readonly #onGap: () => void;
  #timer: Timer | undefined;
  #isClosed = false;

  /** `onGap` is called when the gate turns out to have been closed in between. */
  constructor(db: RealtimeDatabase, clock: Clock, options: GateOptions, onGap: () => void) {
    this.#db = db;
    this.#clock = clock;
    this.#options = options;
    this.#onGap = onGap;
    this.#planRenewal(options.seconds / 3);
  }

  get isUsed(): boolean {
    return this.#bits.size > 0;
  }

  /**
   * Opens the gate for bits, each until as many calls of `release`. The position is undefined if the openings of all of
   * them have been reached. Throws the errors of the database.
   */
  async acquire(bits: readonly number[]): Promise<SharedOpening> {
    const missing = bits.filter((bit) => !this.#bits.has(bit));
    if (missing.length > 0) this.#add(missing);
    const used = bits.map((bit) => this.#bits.get(bit)).filter((bit) => bit !== undefined);
    for (const bit of used) bit.uses++;
    const fresh = used.findLast((bit) => !bit.isReached);
    try {
      const openings = await Promise.all(new Set(used.map(({ opening }) => opening)));
      return sharedOf(openings, (await fresh?.opening)?.position);
    } catch (error) {
      await this.release(bits);
      throw error;
    }
  }

  /** Lines of these bits are read from their openings on. */
  reach(bits: readonly number[]): void {
    for (const bit of bits) {
      const known = this.#bits.get(bit);
      if (known) known.isReached = true;
    }
  }

  async release(bits: readonly number[]): Promise<void> {
    const unused = bits.filter((bit) => this.#drop(bit));
    if (unused.length === 0 || this.#isClosed) return;
    // The gate stays open for a while, so that clients can come back. If this fails, it stays so for longer.
    await openGate(this.#db, unused, { node: this.#node, seconds: 0 }).catch(() => undefined);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #add(bits: readonly number[]): void {
    const opening = this.#open(bits);
    const added = bits.map((bit): [number, Bit] => [
      bit,
      { uses: 0, txid: undefined, opening, isReached: false },
    ]);
    for (const [bit, state] of added) this.#bits.set(bit, state);
    // Each call that shares it has the failure.
    opening.catch(() => undefined);
  }

  #drop(bit: number): boolean {
    const known = this.#bits.get(bit);
    if (!known || --known.uses > 0) return false;
    this.#bits.delete(bit);
    return true;
  }

  async #open(bits: readonly number[]): Promise<Opening> {
    const { seconds, maxWaitMs } = this.#options;
    this.#note(await openGate(this.#db, bits, { node: this.#node, seconds }));
    const { position, running } = await readPosition(this.#db);
    const deadline = this.#clock.now() + maxWaitMs;
    const rest = await this.#wait(running, () => this.#clock.now() > deadline);
    if (rest === '{}') return { position, isWarming: false, complete: Promise.resolve() };
    const opening = { position, isWarming: true, complete: this.#waitOn(rest) };
    // Those that share the opening later have nothing to wait for.
    void opening.complete.then(() => (opening.isWarming = false));
    return opening;
  }

  /** Waits until the transactions have ended or `isOver`; returns those that run. */
  async #wait(txids: string, isOver: () => boolean): Promise<string> {
    let running = txids;
    for (let pause = firstPauseMs; running !== '{}' && !isOver(); pause *= 2) {
      await this.#rest(Math.min(pause, maxPauseMs));
      running = await stillRunning(this.#db, running);
    }
    return running;
  }

  async #waitOn(txids: string): Promise<void> {
    for (let running = txids; running !== '{}' && !this.#isClosed;) {
      await this.#rest(maxPauseMs);
      running = await this.#wait(running, () => this.#isClosed).catch(() => running);
    }
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.setTimer(ms, resolve));
  }

  #planRenewal(seconds: number): void {
    this.#timer = this.#clock.setTimer(seconds * 1_000, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { seconds } = this.#options;
    const bits = [...this.#bits.keys()];
    let nextSeconds = seconds / 3;
    try {
      if (bits.length > 0) {
        const openings = await openGate(this.#db, bits, { node: this.#node, seconds });
        if (this.#note(openings)) this.#onGap();
      }
    } catch {
      nextSeconds = retryMs / 1_000;
    }
    if (!this.#isClosed) this.#planRenewal(nextSeconds);
  }

  /** Notes who opened the bits; true if a bit that was open has been opened again. */
  #note(openings: ReadonlyMap<number, string>): boolean {
    let hasGap = false;
    for (const [bit, txid] of openings) {
      const known = this.#bits.get(bit);
      if (!known) continue;
      hasGap ||= known.txid !== undefined && known.txid !== txid;
      known.txid = txid;
    }
    return hasGap;
  }
}

function sharedOf(openings: readonly Opening[], position: string | undefined): SharedOpening {
  const isWarming = openings.some((opening) => opening.isWarming);
  const complete = Promise.all(openings.map((opening) => opening.complete)).then(() => undefined);
  return { position, isWarming, complete };
}

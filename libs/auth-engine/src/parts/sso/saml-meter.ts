// Documents of SAML are read in a thread beside the event loop first, because their length does not say how long
// that takes: a reader may canonicalize a document once for each of its elements. What takes long there, or never
// ends, does not reach the event loop.
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { fail } from '#libs/errors';
import { samlOptions } from './engine-plugin.js';
import {
  rehearsalProgram,
  type Rehearsed,
  type RehearsalOrder,
  type RehearsalSetup,
} from './saml-rehearsal.js';

/** A document that is not read in this time is too costly, and its thread is ended. */
const hardLimitMs = 3_000;
/** The thread loads the package first. */
const startLimitMs = 30_000;
/**
 * Work is counted in milliseconds of a machine that reads metadata of 400 tags in this time. On a slower one everything
 * takes longer, and people with the usual responses must come in there as well.
 */
const usualMs = 6;
const maxWaiting = 30;
const maxHeapMb = 128;

/** The thread that reads documents, one after the other. It starts with the first document. */
export class SamlMeter {
  private worker: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** How many threads were started. */
  starts = 0;

  /**
   * Returns how long the document takes; undefined when it takes more than three seconds, or more memory than the thread
   * has. Throws PROJECT_BUSY (503) when too many others wait, and INTERNAL_ERROR when the thread does not start.
   */
  async measure(order: RehearsalOrder): Promise<Rehearsed | undefined> {
    if (this.waiting >= maxWaiting) throw fail('PROJECT_BUSY', {}, { retryAfterSeconds: 1 });
    this.waiting += 1;
    const turn = this.last.then(() => this.run(order));
    this.last = turn.catch(() => undefined); // It is thrown to the caller below.
    try {
      return await turn;
    } finally {
      this.waiting -= 1;
    }
  }

  /** Ends the thread; the next document starts another. */
  async close(): Promise<void> {
    const worker = this.worker;
    this.worker = undefined;
    await (await worker)?.terminate();
  }

  private async run(order: RehearsalOrder): Promise<Rehearsed | undefined> {
    this.worker ??= this.start();
    const worker = await this.worker.catch((cause: unknown) => {
      this.worker = undefined;
      throw fail('INTERNAL_ERROR', {}, { cause });
    });
    try {
      // While a request waits for the thread, the process stays.
      worker.ref();
      worker.postMessage(order);
      return await answerOf<Rehearsed>(worker, hardLimitMs);
    } catch {
      // It took too long, or the memory of the thread is full: the thread is of no use any more.
      this.worker = undefined;
      await worker.terminate();
      return undefined;
    } finally {
      worker.unref();
    }
  }

  private async start(): Promise<Worker> {
    this.starts += 1;
    const enginePackage = createRequire(import.meta.url).resolve('@better-auth/sso');
    const setup: RehearsalSetup = {
      enginePackage: pathToFileURL(enginePackage).href,
      saml: samlOptions,
      usualMs,
    };
    const worker = new Worker(rehearsalProgram, {
      eval: true,
      workerData: setup,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    try {
      await answerOf<unknown>(worker, startLimitMs);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    // An error between two documents would end the process otherwise. The next document starts another thread.
    worker.on('error', () => (this.worker = undefined));
    return worker;
  }
}

/** The next message of the worker. Throws when it fails, or sends nothing in time. */
async function answerOf<T>(worker: Worker, limitMs: number): Promise<T> {
  const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(limitMs) });
  return answer;
}

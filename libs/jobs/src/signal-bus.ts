// The signal bus: a process informs the others that something changed. It uses BullMQ's Relay, over PostgreSQL by
// default and over Redis if several machines share one.
import { setTimeout as delay } from 'node:timers/promises';

import { createPostgresRelayBackend, createRedisRelayBackend, Relay } from 'bullmq';

import { type JobStore, postgresConnection, withLastingConnection } from './job-store.js';

const leaseMs = 10_000;
const blockMs = 2_000;
const postgresConnections = 3;
/** How long a sender waits until a signal is sent. */
const publishMs = 1_000;

export type SignalListener = (topic: string, data: unknown) => void | Promise<void>;

export interface SignalBus {
  /**
   * Sends `data` (JSON, at most 512 KiB) to every process that listens to `topic`. Never rejects, and waits at most a
   * second: the change that a signal announces is already stored.
   */
  publish(topic: string, data: unknown): Promise<void>;
  /** Publishes, and also waits until the listeners of this process have finished: at most a second. */
  announce(topic: string, data: unknown): Promise<void>;
  /** Calls `listener` for every topic that matches `pattern`: words separated by dots, where `*` matches any word. */
  subscribe(pattern: string, listener: SignalListener): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the bus. Signals may be lost when a process or the store restarts, so listeners also compare versions.
 * `onError` is called with errors of the transport; the bus recovers by itself.
 */
export async function openSignalBus(
  transport: JobStore,
  onError: (error: Error) => void,
): Promise<SignalBus> {
  const relay = openRelay(transport);
  let isClosing = false;
  // The relay may release its last connection only after it has reported that it is closed.
  const report = (error: Error): void => {
    if (!isClosing) onError(error);
  };
  relay.on('error', report);
  await relay.waitUntilReady().catch(async (error: unknown) => {
    isClosing = true;
    await relay.close();
    throw error;
  });
  const reportUnknown = (error: unknown): void =>
    report(error instanceof Error ? error : new Error(String(error)));
  const send = (topic: string, data: unknown): Promise<unknown> =>
    relay.publish(topic, data).catch(reportUnknown);
  const listeners: {
    readonly fits: (topic: string) => boolean;
    readonly listener: SignalListener;
  }[] = [];
  return {
    publish: (topic, data) => atMost(publishMs, send(topic, data)),
    announce(topic, data) {
      const here = listeners
        .filter(({ fits }) => fits(topic))
        .map(async ({ listener }) => listener(topic, data));
      const acted = Promise.all(here).catch(reportUnknown);
      return atMost(publishMs, Promise.all([send(topic, data), acted]));
    },
    async subscribe(pattern, listener) {
      listeners.push({ fits: topicTest(pattern), listener });
      await relay.subscribe(pattern, (message) => listener(message.topic, message.data));
    },
    async close() {
      isClosing = true;
      await relay.close();
    },
  };
}

/** Waits for `work`, but at most `ms`. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController();
  const waited = delay(ms, undefined, { signal: limit.signal }).catch(() => undefined);
  await Promise.race([work, waited]);
  limit.abort();
}

function topicTest(pattern: string): (topic: string) => boolean {
  const words = pattern.split('.');
  return (topic) => {
    const named = topic.split('.');
    return (
      named.length === words.length && words.every((word, at) => word === '*' || word === named[at])
    );
  };
}

function openRelay(transport: JobStore) {
  const shared = { namespace: 'rowhouse', leaseDuration: leaseMs, blockTimeout: blockMs };
  return transport.kind === 'redis'
    ? new Relay({
        ...shared,
        connection: { url: transport.url },
        backend: createRedisRelayBackend,
      })
    : new Relay({
        ...shared,
        connection: postgresConnection(transport.url, postgresConnections),
        backend: (options) => withLastingConnection(createPostgresRelayBackend(options)),
      });
}

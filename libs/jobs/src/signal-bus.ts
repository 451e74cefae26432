// The signal bus: one process tells the others that something changed. It stands on BullMQ's Relay, over
// PostgreSQL by default and over Redis when several machines share one.
import { setTimeout as delay } from 'node:timers/promises';

import { createPostgresRelayBackend, createRedisRelayBackend, Relay } from 'bullmq';

import { type JobStore, postgresConnection, withLastingListener } from './job-store.js';

const leaseMs = 10_000;
const blockMs = 2_000;
const postgresConnections = 3;
/** How long a sender waits for a signal to go out. */
const publishMs = 1_000;

export type SignalListener = (topic: string, data: unknown) => void | Promise<void>;

export interface SignalBus {
  /**
   * Sends `data` (JSON, at most 512 KiB) to every process that listens to `topic`. Never rejects, and waits for a
   * second at most: the change that a signal announces is stored already.
   */
  publish(topic: string, data: unknown): Promise<void>;
  /** Hears every topic that fits `pattern`: dot-separated words, `*` stands for one of them. */
  subscribe(pattern: string, listener: SignalListener): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the bus. Signals may be lost when a process or the store restarts: whoever listens compares
 * versions as well. `onError` hears faults of the transport; the bus recovers by itself.
 */
export async function openSignalBus(
  transport: JobStore,
  onError: (error: Error) => void,
): Promise<SignalBus> {
  const relay = openRelay(transport);
  let isClosing = false;
  // The relay may let go of its last connection only after it has said that it is closed.
  const report = (error: Error): void => {
    if (!isClosing) onError(error);
  };
  relay.on('error', report);
  await relay.waitUntilReady().catch(async (error: unknown) => {
    isClosing = true;
    await relay.close();
    throw error;
  });
  return {
    async publish(topic, data) {
      const sent = relay.publish(topic, data).then(
        () => undefined,
        (error: unknown) => report(error instanceof Error ? error : new Error(String(error))),
      );
      const limit = new AbortController();
      const waited = delay(publishMs, undefined, { signal: limit.signal }).catch(() => undefined);
      await Promise.race([sent, waited]);
      limit.abort();
    },
    async subscribe(pattern, listener) {
      await relay.subscribe(pattern, (message) => listener(message.topic, message.data));
    },
    async close() {
      isClosing = true;
      await relay.close();
    },
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
        backend: (options) => withLastingListener(createPostgresRelayBackend(options)),
      });
}

// The signal bus: one process tells the others that something changed. It stands on BullMQ's Relay, over
// PostgreSQL by default and over Redis when several machines share one.
import { createPostgresRelayBackend, createRedisRelayBackend, Relay } from 'bullmq';

import { type JobStore, postgresConnection, withLastingListener } from './job-store.js';

const leaseMs = 10_000;
const blockMs = 2_000;
const postgresConnections = 3;

export type SignalListener = (topic: string, data: unknown) => void | Promise<void>;

export interface SignalBus {
  /** Sends `data` (JSON, at most 512 KiB) to every process that listens to `topic`. */
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
  relay.on('error', (error: Error) => {
    // The relay may let go of its last connection only after it has said that it is closed.
    if (!isClosing) onError(error);
  });
  await relay.waitUntilReady().catch(async (error: unknown) => {
    isClosing = true;
    await relay.close();
    throw error;
  });
  return {
    async publish(topic, data) {
      await relay.publish(topic, data);
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

// Words between processes about what lives in their memory: messages of channels and who is present; and signals, which
// have no content. Each process says now and then that it is there, so that a single process publishes nothing. Over
// Redis every channel is one of its own, which only processes with a listener receive; over PostgreSQL all go through the
// signal bus.
import { randomUUID } from 'node:crypto';

import { Redis } from 'ioredis';

import type { JobStore } from './job-store.js';
import { OtherProcesses } from './other-processes.js';
import { ProcessSignals } from './process-signals.js';
import type { SignalBus } from './signal-bus.js';

type Listener = (data: unknown) => void;

export interface ProcessExchange {
  /** The name of this process. */
  readonly node: string;
  /** Whether another process is there. */
  readonly hasOthers: boolean;
  /** Sends `data` (JSON) to the listeners of a channel in other processes. What is lost is not sent again. */
  publish(channel: string, data: unknown): void;
  /** Returns a function that ends it. Own words do not come back. */
  subscribe(channel: string, listener: Listener): () => void;
  /** Calls with the name of a process that is gone. Returns a function that ends it. */
  onGone(listener: (node: string) => void): () => void;
  /**
   * Sends a signal without content to the other processes that await its name. Signals of a few milliseconds are sent
   * together, and a lost one is not sent again.
   */
  signal(name: string): void;
  /** Calls `listener` at each signal of other processes with this name. Returns a function that ends it. */
  onSignal(name: string, listener: () => void): () => void;
  close(): Promise<void>;
}

/** How words travel. */
interface ExchangeTransport {
  send(channel: string, text: unknown): Promise<unknown>;
  open(channel: string): void;
  shut(channel: string): void;
  close(): Promise<void>;
}

interface Word {
  readonly from: string;
  readonly data: unknown;
}

/** Opens the exchange of this process. `onError` is called with errors of the transport; it recovers by itself. */
export async function openProcessExchange(
  store: JobStore,
  bus: SignalBus,
  onError: (error: Error) => void,
): Promise<ProcessExchange> {
  const listeners = new Map<string, Set<Listener>>();
  const node = randomUUID();
  const receive = (channel: string, word: unknown): void => {
    // Only processes of this deployment publish here.
    const { from, data } = word as Word;
    if (from === node) return;
    for (const listener of listeners.get(channel) ?? []) listener(data);
  };
  const transport =
    store.kind === 'redis'
      ? openRedisTransport(store.url, receive, onError)
      : await openBusTransport(bus, receive);
  /** Resolves with whether it was sent. */
  const send = async (channel: string, data: unknown): Promise<boolean> => {
    try {
      await transport.send(channel, { from: node, data } satisfies Word);
      return true;
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  };
  const subscribe = (channel: string, listener: Listener): (() => void) => {
    const known = listeners.get(channel) ?? new Set();
    listeners.set(channel, known.add(listener));
    if (known.size === 1) transport.open(channel);
    return () => {
      if (!known.delete(listener) || known.size > 0) return;
      listeners.delete(channel);
      transport.shut(channel);
    };
  };
  const others = new OtherProcesses(node, { send, subscribe });
  const signals = new ProcessSignals(others, { send, subscribe });
  return {
    node,
    get hasOthers() {
      return others.count > 0;
    },
    publish: (channel, data) => {
      if (others.count > 0) void send(channel, data);
    },
    subscribe,
    onGone: (listener) => others.onGone(listener),
    signal: (name) => signals.send(name),
    onSignal: (name, listener) => signals.listen(name, listener),
    async close() {
      signals.close();
      others.close();
      await transport.close();
    },
  };
}

async function openBusTransport(
  bus: SignalBus,
  receive: (channel: string, word: unknown) => void,
): Promise<ExchangeTransport> {
  await bus.subscribe('exchange', (_topic, message) => {
    const { channel, word } = message as { readonly channel: string; readonly word: unknown };
    receive(channel, word);
  });
  const nothing = (): void => undefined;
  return {
    send: (channel, word) => bus.publish('exchange', { channel, word }),
    open: nothing,
    shut: nothing,
    close: () => Promise.resolve(),
  };
}

function openRedisTransport(
  url: string,
  receive: (channel: string, word: unknown) => void,
  onError: (error: Error) => void,
): ExchangeTransport {
  const prefix = 'rowhouse:exchange:';
  const sender = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
  const receiver = new Redis(url, { maxRetriesPerRequest: null });
  for (const connection of [sender, receiver]) connection.on('error', onError);
  receiver.on('smessage', (name: string, text: string) => {
    receive(name.slice(prefix.length), JSON.parse(text));
  });
  const report = (error: unknown): void =>
    onError(error instanceof Error ? error : new Error(String(error)));
  return {
    send: (channel, word) => sender.spublish(`${prefix}${channel}`, JSON.stringify(word)),
    open: (channel) => void receiver.ssubscribe(`${prefix}${channel}`).catch(report),
    shut: (channel) => void receiver.sunsubscribe(`${prefix}${channel}`).catch(report),
    async close() {
      await Promise.allSettled([sender.quit(), receiver.quit()]);
    },
  };
}

// Processes that talk in memory.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { OtherProcesses } from './other-processes.js';
import { ProcessSignals } from './process-signals.js';

type Receive = (data: unknown) => void;

/** Carries words to all processes but the sender, as they are when they leave. */
class Wire {
  /** The words with signals. */
  readonly signals: (readonly string[])[] = [];
  isBroken = false;
  readonly #nodes = new Map<string, Map<string, Receive>>();

  transportOf(node: string) {
    const channels = new Map<string, Receive>();
    this.#nodes.set(node, channels);
    return {
      send: async (channel: string, data: unknown): Promise<boolean> => {
        if (channel === 'signals') this.signals.push(data as readonly string[]);
        if (this.isBroken) return false;
        const text = JSON.stringify(data);
        await Promise.resolve();
        for (const [name, others] of this.#nodes) {
          if (name !== node) others.get(channel)?.(JSON.parse(text));
        }
        return true;
      },
      subscribe: (channel: string, receive: Receive) => {
        channels.set(channel, receive);
        return () => void channels.delete(channel);
      },
    };
  }
}

const opened: { close(): void }[] = [];

function open(wire: Wire, node: string): ProcessSignals {
  const transport = wire.transportOf(node);
  const others = new OtherProcesses(node, transport);
  const signals = new ProcessSignals(others, transport);
  opened.push(signals, others);
  return signals;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Two processes that know each other. The reader awaits these names, and notes their signals. */
async function pair(...awaited: readonly string[]) {
  const wire = new Wire();
  const [writer, reader] = [open(wire, 'writer'), open(wire, 'reader')];
  const heard: string[] = [];
  const stops = awaited.map((name) => reader.listen(name, () => heard.push(name)));
  await pass(5);
  return { wire, writer, heard, stop: () => stops.forEach((end) => end()) };
}

test('a signal calls the listeners of its name in other processes, and no others', async () => {
  const { writer, heard } = await pair('a', 'b');
  writer.listen('a', () => heard.push('own'));
  writer.send('a');
  await pass(0);
  expect(heard).toEqual(['a']);
});

test('a name that no other process awaits is not sent', async () => {
  const { wire, writer, stop } = await pair('b');
  writer.listen('a', () => undefined);
  for (const name of ['a', 'b', 'c']) writer.send(name);
  await pass(1_000);
  expect(wire.signals).toEqual([['b']]);
  stop();
  // The next beat says so.
  await pass(5_000);
  writer.send('b');
  await pass(1_000);
  expect(wire.signals).toEqual([['b']]);
});

test('the first signal leaves at once, and those of 20 ms together', async () => {
  const { wire, writer, heard } = await pair('a', 'b', 'c');
  for (const name of ['a', 'a', 'b', 'c', 'b']) writer.send(name);
  expect(wire.signals).toEqual([['a']]);
  await pass(100);
  // The second of b came before the first had left.
  expect(wire.signals).toEqual([['a'], ['b', 'c', 'a']]);
  expect(heard.toSorted()).toEqual(['a', 'a', 'b', 'c']);
});

test('a name that is signalled all the time goes twice a second, and others at once', async () => {
  const { wire, writer, heard } = await pair('a', 'b');
  const signal = async (ms: number) => {
    for (let at = 0; at < ms; at += 5) {
      writer.send('a');
      await pass(5);
    }
  };
  await signal(5_000);
  const before = wire.signals.length;
  await signal(10_000);
  expect(wire.signals).toHaveLength(before + 20);
  writer.send('b');
  await pass(20);
  expect(heard).toContain('b');
  // After a calm it goes at once again.
  await pass(1_000);
  const calm = wire.signals.length;
  writer.send('a');
  expect(wire.signals).toHaveLength(calm + 1);
});

test('while words cannot be sent, one is tried each second', async () => {
  const { wire, writer } = await pair('a', 'b');
  wire.isBroken = true;
  for (let at = 0; at < 10_000; at += 5) {
    for (const name of ['a', 'b']) writer.send(name);
    await pass(5);
  }
  expect(wire.signals.length).toBeLessThanOrEqual(11);
  wire.isBroken = false;
  await pass(1_000);
  expect(wire.signals.at(-1)?.toSorted()).toEqual(['a', 'b']);
});

test('after closing nothing is sent, neither during a pause nor after it', async () => {
  const { wire, writer } = await pair('a', 'b');
  for (const name of ['a', 'a', 'b']) writer.send(name);
  writer.close();
  for (const name of ['a', 'b']) writer.send(name);
  await pass(5_000);
  expect(wire.signals).toEqual([['a']]);
});

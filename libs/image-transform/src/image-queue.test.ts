import { describe, expect, test } from 'vitest';

import { ImageQueue, type ImageShare } from './image-queue.js';

/** Resolves when everything that could go on has done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and notes its beginnings. */
class Bench {
  readonly begun: string[] = [];
  readonly fetched: string[] = [];
  readonly #ends = new Map<string, () => void>();

  run(share: ImageShare, name: string, signal = new AbortController().signal): Promise<string> {
    return share.run({
      fetch: async () => {
        this.fetched.push(name);
        return name;
      },
      make: (source) => {
        this.begun.push(source);
        return new Promise((resolve) => this.#ends.set(name, () => resolve(name)));
      },
      signal,
    });
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await settled();
  }
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_none, at) => `${name}${at + 1}`);

describe('the queue of images', () => {
  test('makes no more at once than it has places', async () => {
    const [bench, share] = [new Bench(), new ImageQueue({ places: 2 }).openShare()];
    const runs = numbered('a', 4).map((name) => bench.run(share, name));
    await settled();
    expect(bench.begun).toEqual(['a1', 'a2']);
    await bench.end('a2');
    expect(bench.begun).toEqual(['a1', 'a2', 'a3']);
    for (const name of ['a1', 'a3', 'a4']) await bench.end(name);
    expect(await Promise.all(runs)).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('serves one share after the other, however much one of them asks for', async () => {
    const queue = new ImageQueue({ places: 1 });
    const [bench, a, b, c] = [new Bench(), queue.openShare(), queue.openShare(), queue.openShare()];
    for (const name of numbered('a', 20)) void bench.run(a, name);
    for (const name of numbered('b', 2)) void bench.run(b, name);
    void bench.run(c, 'c1');
    await settled();
    for (let at = 0; at < 7; at += 1) await bench.end(bench.begun.at(-1) ?? '');
    expect(bench.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5']);
  });

  test('fetches no more sources than can be made at once, and one', async () => {
    const [bench, share] = [new Bench(), new ImageQueue({ places: 1 }).openShare()];
    for (const name of numbered('a', 5)) void bench.run(share, name);
    await settled();
    expect(bench.fetched).toEqual(['a1', 'a2']);
  });

  test('a source that does not come holds up its own share alone', async () => {
    const queue = new ImageQueue({ places: 1 });
    const [bench, slow, other] = [new Bench(), queue.openShare(), queue.openShare()];
    const { signal } = new AbortController();
    for (let at = 0; at < 5; at += 1) {
      void slow.run({ fetch: () => new Promise<never>(() => {}), make: async () => 1, signal });
    }
    void bench.run(other, 'b1');
    await settled();
    expect(bench.begun).toEqual(['b1']);
  });

  test('a share has 32 that wait; one more is refused, other shares go on', async () => {
    const queue = new ImageQueue({ places: 1 });
    const [bench, a, b] = [new Bench(), queue.openShare(), queue.openShare()];
    for (const name of numbered('a', 34)) void bench.run(a, name);
    await expect(bench.run(a, 'a35')).rejects.toMatchObject({
      code: 'IMAGE_BUSY',
      status: 429,
      retryAfterSeconds: 2,
    });
    void bench.run(b, 'b1');
    await settled();
    await bench.end('a1');
    await bench.end('a2');
    expect(bench.begun).toEqual(['a1', 'a2', 'b1']);
    void bench.run(a, 'a36');
    await settled();
    await bench.end('b1');
    expect(bench.begun.at(-1)).toBe('a3');
  });

  test('whoever goes away leaves the queue and makes room in it', async () => {
    const [bench, share] = [new Bench(), new ImageQueue({ places: 1 }).openShare()];
    void bench.run(share, 'a1');
    const leaving = numbered('gone', 33).map((name) => {
      const client = new AbortController();
      return { client, run: bench.run(share, name, client.signal) };
    });
    await settled();
    for (const { client } of leaving) client.abort();
    for (const { run } of leaving)
      await expect(run).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    void bench.run(share, 'a2');
    await settled();
    await bench.end('a1');
    expect(bench.begun).toEqual(['a1', 'a2']);
  });

  test('work that fails gives its place back', async () => {
    const [bench, share] = [new Bench(), new ImageQueue({ places: 1 }).openShare()];
    const { signal } = new AbortController();
    const broken = () => Promise.reject(new Error('broken'));
    const whole = () => Promise.resolve('source');
    for (let at = 0; at < 3; at += 1) {
      await expect(share.run({ fetch: broken, make: whole, signal })).rejects.toThrow('broken');
      await expect(share.run({ fetch: whole, make: broken, signal })).rejects.toThrow('broken');
    }
    void bench.run(share, 'a1');
    await settled();
    expect(bench.begun).toEqual(['a1']);
  });
});

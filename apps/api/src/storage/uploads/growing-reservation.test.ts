import { Readable } from 'node:stream';

import { describe, expect, test } from 'vitest';
import { fail } from '#libs/errors';

import { GrowingReservation } from './growing-reservation.js';

const chunkBytes = 64 * 1024;

/** Reserves from a room of so many bytes. */
class Room {
  reserved = 0;
  calls = 0;

  constructor(private readonly bytes: number) {}

  readonly extend = async (bytes: number): Promise<void> => {
    this.calls += 1;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.reserved + bytes > this.bytes) throw fail('QUOTA_EXCEEDED', { bucket: 'a' });
    this.reserved += bytes;
  };
}

async function flow(room: Room, bytes: number, upperBound?: number): Promise<number> {
  const growth = new GrowingReservation({ extend: room.extend, reservedBytes: 0, upperBound });
  const chunks = Readable.from(chunksOf(bytes), { objectMode: false });
  let passed = 0;
  for await (const chunk of growth.within(chunks)) {
    passed += chunk.length;
    // What has passed is always covered.
    expect(passed).toBeLessThanOrEqual(room.reserved);
  }
  await growth.settled();
  return passed;
}

function* chunksOf(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= chunkBytes) {
    yield Buffer.alloc(Math.min(left, chunkBytes));
  }
}

describe('a growing reservation', () => {
  test('grows in few steps', async () => {
    const room = new Room(Infinity);
    expect(await flow(room, 20 * 1024 * 1024)).toBe(20 * 1024 * 1024);
    expect(room.calls).toBeLessThanOrEqual(10);
  });

  test('grows in one step to what can come', async () => {
    const room = new Room(Infinity);
    expect(await flow(room, 20_000_000, 20_000_300)).toBe(20_000_000);
    expect([room.calls, room.reserved]).toEqual([1, 20_000_300]);
  });

  test.each([20_000_000, 20_000_299])(
    'takes content for which there are %i bytes, though more could come',
    async (bytes) => {
      const room = new Room(bytes);
      expect(await flow(room, 20_000_000, 20_000_300)).toBe(20_000_000);
      expect(room.calls).toBeLessThanOrEqual(25);
    },
  );

  test('does not grow past what can come', async () => {
    const room = new Room(Infinity);
    await flow(room, 3_000_000, 3_100_000);
    expect(room.reserved).toBeLessThanOrEqual(3_100_000);
  });

  test.each([1, 1000, 1_048_576, 1_048_577, 5_000_000])(
    'takes content that fits to the last of %i bytes',
    async (bytes) => {
      const room = new Room(bytes);
      expect(await flow(room, bytes)).toBe(bytes);
      expect(room.reserved).toBe(bytes);
    },
  );

  test.each([1, 1000, 1_048_576, 5_000_000])('refuses one byte more than %i', async (bytes) => {
    const room = new Room(bytes);
    await expect(flow(room, bytes + 1)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(room.reserved).toBeLessThanOrEqual(bytes);
  });

  test('ends with what ends the reservation', async () => {
    const extend = () => Promise.reject(fail('UPLOAD_NOT_FOUND'));
    const growth = new GrowingReservation({ extend, reservedBytes: 0, upperBound: undefined });
    const reading = growth.within(Readable.from(chunksOf(10))).next();
    await expect(reading).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';

import type { EngineQueries } from '#libs/database';
import { fail } from '#libs/errors';
import type { ObjectAddress, StorageDriver } from '#libs/storage-driver';
import { waitFor } from '#libs/testing';

import { oneOf } from '../database/storage-fixture.js';
import { bytesAt, contentOf, newAddress, writing } from '../storage-driver/storage-places.js';
import { canRunS3 } from '../support/s3-server.js';
import { leaseOf, openWorkFixture, type WorkFixture } from './work-fixture.js';

const kinds = canRunS3() ? (['local', 's3'] as const) : (['local'] as const);

let fixture: WorkFixture;
beforeAll(async () => {
  fixture = await openWorkFixture({ s3: kinds.length > 1 });
}, 90_000);
afterAll(() => fixture.close(), 30_000);

function driverOf(kind: StorageDriver['kind']): StorageDriver {
  const driver = fixture.drivers[kind];
  if (!driver) throw new Error(`no driver ${kind}`);
  return driver;
}

async function putObject(
  kind: StorageDriver['kind'],
  address = newAddress(),
): Promise<ObjectAddress> {
  await driverOf(kind).write(address, contentOf(Buffer.from('object')), writing());
  return address;
}

const discard = (
  kind: string,
  { bucket, key, version }: ObjectAddress,
  more: { readonly removals?: number; readonly after?: string } = {},
) =>
  fixture.engine.query(
    `insert into storage.garbage (driver, version, bucket, stored_key, removals, not_before)
     values ($1, $2, $3, $4, $5, now() + $6::interval)`,
    [kind, version, bucket, key, more.removals ?? 1, more.after ?? '0'],
  );

interface GarbageRow {
  readonly removals: number;
  readonly attempts: number;
  readonly last_error: string | null;
  /** Seconds until it is due. */
  readonly due_in: number;
}

async function garbageOf({ version }: ObjectAddress): Promise<GarbageRow | undefined> {
  const { rows } = await fixture.engine.query<GarbageRow>(
    `select removals, attempts, last_error, extract(epoch from not_before - now())::float8 as due_in
     from storage.garbage where version = $1`,
    [version],
  );
  return rows[0];
}

const makeDue = () => fixture.engine.query('update storage.garbage set not_before = now()');

describe.each(kinds)('in the driver %s', (kind) => {
  test('an object on the list is removed when it is due, and then leaves the list', async () => {
    const [due, later] = [await putObject(kind), await putObject(kind)];
    await discard(kind, due);
    await discard(kind, later, { after: '1 hour' });
    const work = fixture.startWork();
    work.schedule();
    await waitFor(async () => (await garbageOf(due)) === undefined);
    expect(await bytesAt(driverOf(kind), due)).toBeUndefined();
    expect(await bytesAt(driverOf(kind), later)).toBeDefined();
    await work.close();
  });

  test('what a presigned URL may bring again is removed at once, an hour and a day later', async () => {
    const object = await putObject(kind);
    await discard(kind, object, { removals: 3 });
    const due: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await fixture.sweep();
      expect(await bytesAt(driverOf(kind), object)).toBeUndefined();
      due.push(Math.round(((await garbageOf(object))?.due_in ?? 0) / 60));
      if (round < 2) await putObject(kind, object);
      await makeDue();
    }
    expect(due).toEqual([60, 24 * 60, 0]);
    expect(await garbageOf(object)).toBeUndefined();
  });

  test('objects that no row knows are removed by one sweep, and all others stay', async () => {
    fixture.useDriver(kind);
    const file = await fixture.putFile();
    const reserved = newAddress();
    await fixture.engine.query(
      `select storage.reserve_upload($1, 'docs', $2, $3, $4, 'stream', 4, 'text/plain', 'private', null, false,
         now() + interval '1 hour')`,
      [randomUUID(), reserved.key, reserved.version, kind],
    );
    await putObject(kind, reserved);
    const waiting = await putObject(kind);
    await discard(kind, waiting, { after: '1 hour' });
    const orphans = await Promise.all(Array.from({ length: 7 }, () => putObject(kind)));
    const counts = await fixture.sweep();
    expect(counts.orphans).toBe(7);
    for (const orphan of orphans) {
      expect(await bytesAt(driverOf(kind), orphan)).toBeUndefined();
      expect(await garbageOf(orphan)).toBeUndefined();
    }
    for (const kept of [file, reserved, waiting]) {
      expect(await bytesAt(driverOf(kind), kept)).toBeDefined();
    }
    expect((await fixture.sweep()).orphans).toBe(0);
    fixture.useDriver('local');
  });

  test('young objects are left alone, for their upload may be under way', async () => {
    const orphan = await putObject(kind);
    fixture.useDriver(kind);
    expect((await fixture.sweep({ orphanAgeMs: 60_000 })).orphans).toBe(0);
    expect(await bytesAt(driverOf(kind), orphan)).toBeDefined();
    fixture.useDriver('local');
  });

  test('a file without its object is told, and its row stays', async () => {
    fixture.useDriver(kind);
    const [lost, kept] = [await fixture.putFile(), await fixture.putFile()];
    await driverOf(kind).remove(lost);
    fixture.complaints.length = 0;
    expect((await fixture.sweep()).filesWithoutObject).toBe(1);
    expect(fixture.complaints.join()).toContain(lost.id);
    expect(fixture.complaints.join()).not.toContain(kept.id);
    const { rows } = await fixture.engine.query('select from storage.stored_files where id = $1', [
      lost.id,
    ]);
    expect(rows).toHaveLength(1);
    await fixture.engine.query("select storage.delete_files('docs', array[$1::uuid])", [lost.id]);
    fixture.useDriver('local');
  });
});

test('an object that cannot be removed stays on the list and is tried again ever later', async () => {
  const object = await putObject('local');
  await discard('local', object);
  const driver: StorageDriver = Object.assign(Object.create(driverOf('local')), {
    remove: () => Promise.reject(fail('STORAGE_UNAVAILABLE')),
  });
  const storage = {
    kind: 'local',
    driver,
    driverOf: () => driver,
    close: async () => undefined,
  } as const;
  const acquireStorage = () => Promise.resolve(leaseOf(storage));
  const pauses: number[] = [];
  for (let round = 1; round <= 8; round += 1) {
    await fixture.sweep({ acquireStorage, orphanAgeMs: 60_000 });
    const row = await garbageOf(object);
    expect(row).toMatchObject({ attempts: round, last_error: 'STORAGE_UNAVAILABLE' });
    pauses.push(row?.due_in ?? 0);
    await fixture.engine.query('update storage.garbage set not_before = now() where version = $1', [
      object.version,
    ]);
  }
  for (const [index, seconds] of [60, 120, 240, 480, 960, 1920, 3600, 3600].entries()) {
    expect(pauses[index]).toBeGreaterThan(seconds * 0.89 - 2);
    expect(pauses[index]).toBeLessThanOrEqual(seconds);
  }
  expect(await bytesAt(driverOf('local'), object)).toBeDefined();
  await fixture.sweep({ orphanAgeMs: 60_000 });
  expect(await garbageOf(object)).toBeUndefined();
});

test('a store that is not set up keeps nothing else from being done', async () => {
  const [there, elsewhere] = [await putObject('local'), newAddress()];
  await discard('local', there);
  await discard('s3', elsewhere);
  const driver = driverOf('local');
  const storage = {
    kind: 'local',
    driver,
    driverOf(kind: StorageDriver['kind']) {
      if (kind === 's3') throw fail('STORAGE_NOT_CONFIGURED');
      return driver;
    },
    close: async () => undefined,
  } as const;
  await fixture.sweep({ acquireStorage: () => Promise.resolve(leaseOf(storage)) });
  expect(await garbageOf(there)).toBeUndefined();
  expect(await garbageOf(elsewhere)).toMatchObject({ last_error: 'STORAGE_NOT_CONFIGURED' });
  await fixture.engine.query('delete from storage.garbage where version = $1', [elsewhere.version]);
});

test('a reservation whose time is over ends, and its object and its bytes of the quota with it', async () => {
  const address = await putObject('local');
  const reservedBefore = await reservedBytes();
  await fixture.engine.query(
    `select storage.reserve_upload($1, 'docs', $2, $3, 'local', 'stream', 1000, 'text/plain', 'private', null,
       false, now() - interval '1 s')`,
    [randomUUID(), address.key, address.version],
  );
  expect(await reservedBytes()).toBe(reservedBefore + 1000);
  const work = fixture.startWork();
  work.schedule();
  await waitFor(async () => (await bytesAt(driverOf('local'), address)) === undefined);
  expect(await reservedBytes()).toBe(reservedBefore);
  await work.close();
});

test('a deleted file is read to its end by those who have begun, and is gone a minute later', async () => {
  const file = await fixture.putFile();
  const opened = await driverOf('local').read(file);
  await fixture.engine.query("select storage.delete_files('docs', array[$1::uuid])", [file.id]);
  await fixture.sweep({ orphanAgeMs: 60_000 });
  expect(await bytesAt(driverOf('local'), file)).toEqual(file.bytes);
  const dueIn = (await garbageOf(file))?.due_in ?? 0;
  expect(Math.round(dueIn / 10)).toBe(6);
  opened?.body.destroy();
  await makeDue();
  await fixture.sweep({ orphanAgeMs: 60_000 });
  expect(await bytesAt(driverOf('local'), file)).toBeUndefined();
});

test('an idle project is asked for nothing but a look, however often work is scheduled', async () => {
  const other = await openWorkFixture();
  try {
    let asked = 0;
    const counted: EngineQueries = {
      queryAsEngine: (text, values) => {
        asked += 1;
        return other.db.queryAsEngine(text, values);
      },
    };
    const work = other.startWork({ db: counted });
    work.schedule();
    await waitFor(() => asked > 0);
    for (let call = 0; call < 1000; call += 1) work.schedule();
    await work.close();
    expect(asked).toBe(1);
  } finally {
    await other.close();
  }
});

const testWithS3 = kinds.length > 1 ? test : test.skip;

testWithS3('objects of another project in the same store are not touched', async () => {
  const driver = await fixture.openStore('neighbor');
  const address = newAddress();
  await driver.write(address, contentOf(Buffer.from('of a neighbor')), writing());
  const own = await putObject('s3');
  fixture.useDriver('s3');
  await fixture.sweep();
  fixture.useDriver('local');
  expect(await bytesAt(driverOf('s3'), own)).toBeUndefined();
  expect(await bytesAt(driver, address)).toEqual(Buffer.from('of a neighbor'));
  await driver.close();
});

async function reservedBytes(): Promise<number> {
  const { rows } = await fixture.engine.query<{ bytes: number }>(
    "select reserved_bytes::float8 as bytes from storage.buckets where slug = 'docs'",
  );
  return oneOf(rows).bytes;
}

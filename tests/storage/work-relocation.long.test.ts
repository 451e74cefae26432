import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { fail } from '#libs/errors';
import {
  findRelocation,
  type RelocationState,
  startRelocation,
  stopRelocation,
} from '#libs/project-runtime';
import type { StorageDriver } from '#libs/storage-driver';
import { waitFor } from '#libs/testing';

import { oneOf } from '../database/storage-fixture.js';
import {
  bytesAt,
  contentOf,
  listAll,
  someBytes,
  writing,
} from '../storage-driver/storage-places.js';
import { canRunS3 } from '../support/s3-server.js';
import { leaseOf, openWorkFixture, type StoredFile, type WorkFixture } from './work-fixture.js';

type DriverKind = StorageDriver['kind'];

const other = (kind: DriverKind): DriverKind => (kind === 'local' ? 's3' : 'local');

(canRunS3() ? describe : describe.skip)('moving files', () => {
  let fixture: WorkFixture;
  beforeAll(async () => {
    fixture = await openWorkFixture({ s3: true });
  }, 90_000);
  afterAll(() => fixture.close(), 30_000);

  let files: StoredFile[];
  beforeEach(async () => {
    await fixture.engine.query(`delete from storage.relocations; delete from storage.stored_files;
      delete from storage.garbage`);
    fixture.useDriver('s3');
    await fixture.sweep();
    fixture.useDriver('local');
    fixture.complaints.length = 0;
    files = [];
    for (let count = 0; count < 10; count += 1) {
      const bytes = someBytes(count * 1000);
      files.push(await fixture.putFile({ bytes, withSha256: count % 2 === 0 }));
    }
  }, 30_000);

  let gate: Gate | undefined;
  afterEach(() => gate?.open());

  const driverOf = (kind: DriverKind): StorageDriver => {
    const driver = fixture.drivers[kind];
    if (!driver) throw new Error(`no driver ${kind}`);
    return driver;
  };
  const state = (): Promise<RelocationState | undefined> => fixture.db.runAsEngine(findRelocation);
  const start = (to: DriverKind): Promise<void> => {
    fixture.useDriver(to);
    return fixture.db.runAsEngine((tx) => startRelocation(tx, { from: other(to), to }));
  };
  const whenState = (wanted: RelocationState['state']): Promise<RelocationState> =>
    waitFor(async () => {
      const found = await state();
      return found?.state === wanted ? found : undefined;
    });
  const countIn = async (kind: DriverKind): Promise<number> => {
    const { rows } = await fixture.engine.query<{ count: number }>(
      'select count(*)::int as count from storage.stored_files where driver = $1',
      [kind],
    );
    return oneOf(rows).count;
  };

  /** Storage in which writes to a driver wait at the gate after so many have passed. */
  function gatedStorage(kind: DriverKind, free: number): Gate {
    let passed = 0;
    let isOpen = false;
    const waiting: (() => void)[] = [];
    const driver: StorageDriver = Object.assign(Object.create(driverOf(kind)), {
      write: async (...given: Parameters<StorageDriver['write']>) => {
        passed += 1;
        if (passed > free && !isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
        return driverOf(kind).write(...given);
      },
    });
    return {
      acquireStorage: () => Promise.resolve(leaseOf(storageOf(kind, driver))),
      waiters: () => waiting.length,
      open() {
        isOpen = true;
        for (const resolve of waiting.splice(0)) resolve();
      },
    };
  }

  function storageOf(kind: DriverKind, driver: StorageDriver) {
    return {
      kind,
      driver,
      driverOf: (wanted: DriverKind) => (wanted === kind ? driver : driverOf(wanted)),
      close: () => Promise.resolve(),
    };
  }

  const readAll = async (): Promise<void> => {
    for (const file of files) expect(await fixture.readFile(file.id)).toEqual(file.bytes);
  };

  test('to the store and back leaves every byte where the rows say, and is readable all the while', async () => {
    const work = fixture.startWork();
    for (const to of ['s3', 'local'] as const) {
      await start(to);
      work.schedule();
      let rounds = 0;
      for (let isRunning = true; isRunning; rounds += 1) {
        await readAll();
        isRunning = (await state())?.state === 'running';
      }
      expect(rounds).toBeGreaterThan(0);
      const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
      expect(await state()).toMatchObject({
        state: 'done',
        from: other(to),
        to,
        movedFiles: 10,
        totalFiles: 10,
        movedBytes: bytes,
        totalBytes: bytes,
        failedFiles: 0,
        failures: {},
        lastError: null,
      });
      expect(await countIn(to)).toBe(10);
      // The old objects stay for a minute, for readers that have begun.
      expect(await listAll(driverOf(other(to)))).toHaveLength(10);
      await fixture.engine.query('update storage.garbage set not_before = now()');
      work.schedule();
      await waitFor(async () => (await listAll(driverOf(other(to)))).length === 0);
      await readAll();
    }
    expect(fixture.complaints).toEqual([]);
    await work.close();
  }, 60_000);

  test('that is stopped gives up what it copies, and goes on when it is started again', async () => {
    gate = gatedStorage('s3', 3);
    const work = fixture.startWork({ acquireStorage: gate.acquireStorage });
    await start('s3');
    work.schedule();
    await waitFor(() => gate?.waiters() === 4);
    expect(await fixture.db.runAsEngine(stopRelocation)).toBe(true);
    expect(await fixture.db.runAsEngine(stopRelocation)).toBe(false);
    gate.open();
    await work.close();
    const stopped = await state();
    expect(stopped).toMatchObject({ state: 'stopped', movedFiles: 3, totalFiles: 10 });
    expect(await countIn('s3')).toBe(3);
    // Copies that ended after the stop belong to nobody.
    await fixture.sweep();
    expect(await listAll(driverOf('s3'))).toHaveLength(3);
    await readAll();
    const again = fixture.startWork();
    await start('s3');
    again.schedule();
    expect(await whenState('done')).toMatchObject({
      movedFiles: 10,
      totalFiles: 10,
      failedFiles: 0,
    });
    expect((await state())?.startedAt).toBe(stopped?.startedAt);
    await readAll();
    await again.close();
  }, 60_000);

  test('goes on after a crash, over whole and half copies that the crash has left', async () => {
    const moved = fixture.startWork();
    await start('s3');
    moved.schedule();
    await whenState('done');
    await moved.close();
    await fixture.engine.query('delete from storage.garbage');
    await fixture.sweep();
    expect(await listAll(driverOf('local'))).toHaveLength(0);
    const [whole, half, wrong] = files.slice(3);
    if (!whole || !half || !wrong) throw new Error('the test needs files');
    await start('local');
    // A process that was killed holds the lease for a while, and has left copies.
    await fixture.engine.query(
      "update storage.relocations set leased_by = gen_random_uuid(), leased_until = now() + interval '60 s'",
    );
    await driverOf('local').write(whole, contentOf(whole.bytes), writing());
    await driverOf('local').write(wrong, contentOf(Buffer.from('wrong')), writing());
    await mkdir(join(fixture.folder, '.tmp'), { recursive: true });
    await writeFile(join(fixture.folder, '.tmp', half.version), half.bytes.subarray(0, 100));
    const next = fixture.startWork();
    next.schedule();
    await readAll();
    expect(await state()).toMatchObject({ state: 'running', movedFiles: 0 });
    await fixture.engine.query('update storage.relocations set leased_until = now()');
    next.schedule();
    expect(await whenState('failed')).toMatchObject({
      movedFiles: 9,
      failedFiles: 1,
      failures: { 'an earlier copy was incomplete; it was removed': 1 },
    });
    await start('local');
    next.schedule();
    expect(await whenState('done')).toMatchObject({
      movedFiles: 10,
      totalFiles: 10,
      failedFiles: 0,
    });
    await readAll();
    expect(await countIn('local')).toBe(10);
    await next.close();
  }, 60_000);

  test('is done by one process at a time', async () => {
    const works = [fixture.startWork(), fixture.startWork(), fixture.startWork()];
    await start('s3');
    for (const work of works) work.schedule();
    expect(await whenState('done')).toMatchObject({ movedFiles: 10, failedFiles: 0 });
    await Promise.all(works.map((work) => work.close()));
    expect(fixture.complaints).toEqual([]);
    await readAll();
  }, 30_000);

  test('leaves files alone that are replaced or deleted meanwhile', async () => {
    gate = gatedStorage('s3', 0);
    const work = fixture.startWork({ acquireStorage: gate.acquireStorage });
    await start('s3');
    work.schedule();
    await waitFor(() => gate?.waiters() === 4);
    const [replaced, deleted] = [...files].sort((a, b) => (a.id < b.id ? -1 : 1));
    if (!replaced || !deleted) throw new Error('the test needs files');
    const newer = await fixture.putFile({
      key: replaced.key,
      bytes: Buffer.from('newer'),
      driver: 's3',
    });
    await fixture.engine.query("select storage.delete_files('docs', array[$1::uuid])", [
      deleted.id,
    ]);
    gate.open();
    expect(await whenState('done')).toMatchObject({ movedFiles: 8, failedFiles: 0 });
    expect(newer.id).toBe(replaced.id);
    expect(await fixture.readFile(replaced.id)).toEqual(Buffer.from('newer'));
    await work.close();
    await fixture.engine.query('update storage.garbage set not_before = now()');
    await fixture.sweep();
    expect(await listAll(driverOf('s3'))).toHaveLength(9);
    expect(await listAll(driverOf('local'))).toHaveLength(0);
  }, 30_000);

  test('counts files that cannot be moved by their reason, and tries them again', async () => {
    const [lost, cut, changed] = files.slice(4);
    if (!lost || !cut || !changed) throw new Error('the test needs files');
    const local = driverOf('local');
    await local.remove(lost);
    await local.remove(cut);
    await local.write(cut, contentOf(cut.bytes.subarray(1)), writing());
    await local.remove(changed);
    await local.write(changed, contentOf(someBytes(changed.bytes.length)), writing());
    const work = fixture.startWork();
    await start('s3');
    work.schedule();
    const failed = await whenState('failed');
    expect(failed).toMatchObject({ movedFiles: 7, failedFiles: 3, totalFiles: 10 });
    expect(Object.entries(failed.failures).toSorted()).toEqual([
      [`${cut.bytes.length - 1} bytes are stored instead of ${cut.bytes.length}`, 1],
      ['STORAGE_OBJECT_MISSING', 1],
      ['the checksum differs', 1],
    ]);
    expect(await bytesAt(driverOf('s3'), changed)).toBeUndefined();
    for (const file of [lost, cut, changed]) {
      await local.remove(file);
      await local.write(file, contentOf(file.bytes), writing());
    }
    await start('s3');
    work.schedule();
    expect(await whenState('done')).toMatchObject({ movedFiles: 10, failedFiles: 0 });
    await readAll();
    await work.close();
  }, 30_000);

  test('waits for a store that cannot be reached, and says why', async () => {
    const down: StorageDriver = Object.assign(Object.create(driverOf('s3')), {
      write: () => Promise.reject(fail('STORAGE_UNAVAILABLE')),
    });
    const acquireStorage = () => Promise.resolve(leaseOf(storageOf('s3', down)));
    const failing = fixture.startWork({ acquireStorage });
    await start('s3');
    failing.schedule();
    await waitFor(async () => (await state())?.lastError === 'STORAGE_UNAVAILABLE');
    expect(await state()).toMatchObject({ state: 'running', movedFiles: 0, failedFiles: 0 });
    await failing.close();
    await fixture.engine.query('update storage.relocations set leased_until = now()');
    const work = fixture.startWork();
    work.schedule();
    expect(await whenState('done')).toMatchObject({ movedFiles: 10, lastError: null });
    await work.close();
  }, 30_000);

  test('stops when new files go elsewhere', async () => {
    await start('s3');
    fixture.useDriver('local');
    const work = fixture.startWork();
    work.schedule();
    expect(await whenState('stopped')).toMatchObject({ movedFiles: 0 });
    await work.close();
  });

  test('is gone on with by the worker when nobody serves the project', async () => {
    await start('s3');
    await fixture.sweep();
    expect(await state()).toMatchObject({ state: 'done', movedFiles: 10 });
    await readAll();
  }, 30_000);

  test('keeps its copies from a sweep that finds them before their files', async () => {
    gate = gatedStorage('s3', 0);
    const copying = fixture.startWork({ acquireStorage: gate.acquireStorage });
    await start('s3');
    copying.schedule();
    await waitFor(() => gate?.waiters() === 4);
    for (const file of files)
      await driverOf('s3').write(file, Readable.from([file.bytes]), writing());
    expect((await fixture.sweep()).orphans).toBe(0);
    gate.open();
    await whenState('done');
    await readAll();
    await copying.close();
  }, 30_000);
});

interface Gate {
  readonly acquireStorage: WorkFixture['deps'] extends () => { acquireStorage: infer Acquire }
    ? Acquire
    : never;
  readonly waiters: () => number;
  readonly open: () => void;
}

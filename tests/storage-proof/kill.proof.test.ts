// The API is killed again and again while files come, change and go. Nothing that was answered is lost, nothing is
// half there, and one sweep removes what the killed have left. STORAGE_KILLS: how often; STORAGE_SEED: which choices.
import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import { makeBucket } from '../storage/bucket-rows.js';
import { storesHere, type StoreUnderTest } from '../storage/stored-files.js';
import { contentOf } from './content.js';
import { exchange } from './exchange.js';
import { ServedProject } from './served-project.js';
import { bucket, objectPath, StorageLoad } from './storage-load.js';
import { StoredState } from './stored-state.js';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });

const seed = Number(process.env['STORAGE_SEED'] ?? Date.now() % 1_000_000);
/** Starting the API takes a core for seconds, so there are few by default. */
const kills = { local: 2, s3: 1 };
/** Changes between two kills. */
const steps = 70;

describe.each(storesHere())('the API is killed while files change in a $kind store', (place) => {
  const count = Number(process.env['STORAGE_KILLS'] ?? kills[place.kind]);
  let store: StoreUnderTest;
  let deployment: Deployment;
  let served: ServedProject;
  let state: StoredState;
  let load: StorageLoad;

  beforeAll(async () => {
    store = await place.open();
    deployment = await Deployment.open({ env: { ...store.env, ROLES: 'console' } });
    const project = await deployment.createProject();
    served = await ServedProject.open(deployment, project, { env: store.env, starts: count + 1 });
    state = new StoredState(deployment, project, (await store.placeOf(deployment, project)).driver);
    load = new StorageLoad(served.project, { kind: place.kind, seed });
    await served.start();
    await makeBucket(served.project, bucket, { public: true });
  });
  afterAll(async () => {
    await served.close();
    await deployment.close();
    await store.close();
  });

  test('rows, bytes and counters agree after every kill', async () => {
    const stop = load.start();
    for (let kill = 1; kill <= count; kill += 1) {
      // Each kill meets what the one before has left.
      await load.untilSteps(steps);
      await served.kill();
      expect({ seed, kill, lost: await state.rowsWithoutBytes() }).toMatchObject({ lost: [] });
      expect({ seed, kill, drift: await state.drift() }).toMatchObject({ drift: [] });
      await served.start();
      load.history.settle();
    }
    await load.untilSteps(steps);
    await stop();
    expect({ seed, violations: load.violations }).toEqual({ seed, violations: [] });
    expect(load.lost).toBeGreaterThan(count);
  });

  test('under each key is what its last answered change has put there', async () => {
    const found = new Map((await state.rows()).map((row) => [row.key, row]));
    const wrong: unknown[] = [];
    for (const key of load.history.keys()) {
      const row = found.get(key);
      const possible = load.history.possible(key);
      const isPossible = possible.includes('unknown') || possible.includes(row?.seed ?? 'nothing');
      if (!isPossible) wrong.push({ key, found: row?.seed, possible });
    }
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  });

  test('every file has the bytes that were uploaded', async () => {
    const rows = await state.rows();
    expect(rows.length).toBeGreaterThan(10);
    for (const { key, seed: number, size, version } of rows) {
      const headers = { apikey: served.project.secretKey };
      const answer = await exchange(served.project, { path: objectPath(key), headers });
      const isWhole = answer.bytes.equals(contentOf(number, size));
      expect({ key, status: answer.status, isWhole, tag: answer.headers.etag }).toEqual({
        key,
        status: 200,
        isWhole: true,
        tag: `"${version}"`,
      });
    }
  });

  test('one sweep removes what no file needs, and nothing else', async () => {
    await served.kill();
    const before = await state.rows();
    expect((await state.objectsWithoutRow()).length).toBeGreaterThan(0);
    await state.passTime();
    await state.sweep();
    expect(await state.objectsWithoutRow()).toEqual([]);
    expect(await state.unfinishedWrites()).toBe(0);
    expect(await state.rows()).toEqual(before);
    expect(await state.rowsWithoutBytes()).toEqual([]);
    expect(await state.drift()).toEqual([]);
  });
});

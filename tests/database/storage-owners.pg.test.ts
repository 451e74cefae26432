// Whose files an upload may replace, and whose its own file is.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from 'pg';
import { ids } from './project-fixture.js';
import {
  commit,
  createStorageProject,
  putFile,
  reserve,
  type StorageFixture,
} from './storage-fixture.js';

let project: StorageFixture;
let engine: Client;
beforeAll(async () => {
  project = await createStorageProject();
  engine = await project.login('engine');
});
afterAll(() => project.drop());
beforeEach(async () => {
  await project.admin.query(`
    delete from storage.stored_files;
    delete from storage.uploads;
    insert into storage.buckets (slug, name) values ('docs', 'Docs') on conflict do nothing`);
});

describe('an upload that is finished', () => {
  test.each([
    { name: 'their own', owner: ids.ada, may: true },
    { name: "another user's", owner: ids.bob, may: false },
    { name: 'that of nobody', owner: null, may: false },
  ])('of a user with upsert replaces $name: $may', async ({ owner, may }) => {
    const { id } = await reserve(engine, { key: 'a', owner: ids.ada, upsert: true });
    const other = await putFile(engine, { key: 'a', owner });
    const outcome = may ? 'replaced' : 'key_taken';
    expect(await commit(engine, id)).toMatchObject({ outcome, id: other.id });
    const again = await reserve(engine, { key: 'a', owner: ids.ada, upsert: true });
    expect(again.outcome).toBe(may ? 'reserved' : 'key_taken');
  });

  test('of the platform with upsert replaces the file of anybody', async () => {
    await putFile(engine, { key: 'a', owner: ids.ada });
    const { id } = await reserve(engine, { key: 'a', upsert: true });
    expect(await commit(engine, id)).toMatchObject({ outcome: 'replaced', owner_id: ids.ada });
  });

  test('of a user who is gone has no owner', async () => {
    const { id } = await reserve(engine, { owner: 'deleted-user' });
    expect(await commit(engine, id)).toMatchObject({ outcome: 'created', owner_id: null });
  });

  test('of a user of another issuer keeps its owner', async () => {
    const { id } = await reserve(engine, { owner: 'elsewhere', isForeign: true });
    expect(await commit(engine, id)).toMatchObject({ owner_id: 'elsewhere' });
  });
});

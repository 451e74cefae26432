// The objects of a deleted project in a store. Files on this machine go with its folder.
import type { Logger } from 'pino';

import type { RemoveObjects } from '#libs/control-plane';
import { withProjectDatabase } from '#libs/database';
import {
  type ProjectRecord,
  ProjectSettings,
  settingsSeal,
  usedDrivers,
  withStorage,
} from '#libs/project-runtime';

import type { Env } from './env.js';
import { settingsFallbacks } from './project-address.js';
import { storageDeps } from './storage-access.js';

/**
 * How long a deletion waits for a store that cannot be used. A store that no longer exists, or whose key is no longer
 * valid, must not keep the project forever: its settings can no longer be changed.
 */
const giveUpAfterMs = 7 * 24 * 60 * 60 * 1000;

/** Returns the function that removes the objects of a project, a step of its deletion. It is called with each attempt. */
export function objectRemoval(env: Env, log: Logger): RemoveObjects {
  return async (record, { begunAt }) => {
    try {
      await removeObjects(env, record);
    } catch (err) {
      if (Date.now() - begunAt.getTime() < giveUpAfterMs) throw err;
      log.error(
        { err, ref: record.ref },
        `the objects of a deleted project stay in its store: remove those whose names begin with <bucket>/${record.ref}/`,
      );
    }
  };
}

function removeObjects(env: Env, record: ProjectRecord): Promise<void> {
  return withProjectDatabase(record, async (db) => {
    const [row] = await db.queryAsEngine<{ known: boolean }>(
      "select pg_catalog.to_regclass('storage.relocations') is not null as known",
    );
    // A project that was never brought to a release with files has none.
    if (!row?.known) return;
    const { values: settings } = await ProjectSettings.load({
      db,
      env: settingsFallbacks(env, record),
      seal: settingsSeal(record.ref, record.dataKey),
    });
    await withStorage(storageDeps(env, record.ref), settings, async (storage) => {
      const drivers = await usedDrivers(db, storage);
      await drivers.find(({ kind }) => kind === 's3')?.removeAll();
    });
  });
}

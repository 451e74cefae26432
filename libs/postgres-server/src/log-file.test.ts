import {
  appendFile,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { limitLog, logLength, readLog } from './log-file.js';

const limit = 8 * 1024 * 1024;
let folder: string;
let log: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-log-'));
  log = join(folder, 'postgres.log');
});
afterEach(() => rm(folder, { recursive: true }));

test('a log of 8 MB stays as it is', async () => {
  await writeFile(log, 'x'.repeat(limit));
  await limitLog(log);
  expect(await logLength(log)).toBe(limit);
  await expect(lstat(`${log}.1`)).rejects.toThrow('ENOENT');
});

test('a longer one is emptied, and its last 8 MB are kept beside it', async () => {
  for (const round of ['first', 'second']) {
    await appendFile(log, `beginning${'x'.repeat(limit)}${round}`);
    await limitLog(log);
    expect(await logLength(log)).toBe(0);
    const kept = await readFile(`${log}.1`, 'utf8');
    expect([kept.length, kept.slice(-round.length)]).toEqual([limit, round]);
  }
});

test('it is emptied where nothing can be kept, as on a full disk', async () => {
  await mkdir(`${log}.1`);
  await writeFile(log, 'x'.repeat(limit + 1));
  await expect(limitLog(log)).rejects.toThrow();
  expect(await logLength(log)).toBe(0);
});

test('it is read from a byte on', async () => {
  await writeFile(log, '0123456789');
  expect(await readLog(log, 7)).toBe('789');
  expect(await readLog(log, 10)).toBe('');
});

test('a log that does not exist is empty', async () => {
  await limitLog(log);
  expect([await logLength(log), await readLog(log, 0)]).toEqual([0, '']);
});

describe('a link that the user of PostgreSQL has made', () => {
  let target: string;
  beforeEach(async () => {
    target = join(folder, 'of-another-user');
    await writeFile(target, 'y'.repeat(limit + 1));
  });

  test('in the place of the log is not followed', async () => {
    await symlink(target, log);
    await expect(limitLog(log)).rejects.toThrow('ELOOP');
    expect(await readFile(target, 'utf8')).toHaveLength(limit + 1);
  });

  test('in the place of the file beside it is not followed', async () => {
    await writeFile(log, 'x'.repeat(limit + 1));
    await symlink(target, `${log}.1`);
    await limitLog(log);
    expect(await readFile(target, 'utf8')).toBe('y'.repeat(limit + 1));
    expect(await readFile(`${log}.1`, 'utf8')).toBe('x'.repeat(limit));
  });
});

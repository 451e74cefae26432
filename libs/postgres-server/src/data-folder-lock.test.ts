import { afterEach, beforeEach, describe, expect, vi, test } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { link, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataFolder } from './data-folder-lock.js';

let folder: string;
const file = (): string => join(folder, 'rowhouse.lock');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The text of a lock that this process holds, with some fields changed. */
async function lockText(changes: Readonly<Record<string, unknown>>): Promise<string> {
  const lock = await lockDataFolder(folder);
  const text = await readFile(file(), 'utf8');
  await lock.release();
  return JSON.stringify({ ...JSON.parse(text), ...changes });
}

async function pidOfADeadProcess(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid;
}

test('a held folder is refused, naming the pid of the holder', async () => {
  const lock = await lockDataFolder(folder);
  await expect(lockDataFolder(folder)).rejects.toThrow(`in use by the process ${process.pid};`);
  await lock.release();
});

test('a released folder can be locked again, and its lock file is gone in between', async () => {
  await (await lockDataFolder(folder)).release();
  expect(existsSync(file())).toBe(false);
  await (await lockDataFolder(folder)).release();
});

test('of many that try at once on a stale lock, one gets it', async () => {
  const stale = await lockText({ pid: await pidOfADeadProcess() });
  for (let round = 0; round < 50; round += 1) {
    await writeFile(file(), stale);
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataFolder(folder)));
    const won = tries.filter((one) => one.status === 'fulfilled');
    expect(won).toHaveLength(1);
    await Promise.all(won.map((one) => one.value.release()));
    expect(await readdir(folder)).toEqual([]);
  }
});

test('a takeover that was cut off is done again', async () => {
  await writeFile(file(), await lockText({ pid: await pidOfADeadProcess() }));
  await link(file(), `${file()}.${(await stat(file())).ino}`);
  await expect(lockDataFolder(folder)).rejects.toThrow('several processes start');
  vi.useFakeTimers({ now: Date.now() + 11_000, toFake: ['Date'] });
  const lock = await lockDataFolder(folder);
  vi.useRealTimers();
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test('release leaves the lock of another process alone', async () => {
  const lock = await lockDataFolder(folder);
  const foreign = await readFile(file(), 'utf8').then((text) =>
    text.replace(/"pid":\d+/, '"pid":1'),
  );
  await writeFile(file(), foreign);
  await lock.release();
  expect(await readFile(file(), 'utf8')).toBe(foreign);
});

describe('a lock is taken over when', () => {
  test.each([
    { name: 'its holder is dead', changes: async () => ({ pid: await pidOfADeadProcess() }) },
    { name: 'its pid now names another process', changes: () => ({ start: 'long ago' }) },
    { name: 'the machine has started again since', changes: () => ({ boot: 'an earlier one' }) },
  ])('$name', async ({ changes }) => {
    await writeFile(file(), await lockText(await changes()));
    await (await lockDataFolder(folder)).release();
  });

  test.each(['', '{"pid":', '[]', '{"pid":"1"}'])('it is not readable: %j', async (text) => {
    await writeFile(file(), text);
    await (await lockDataFolder(folder)).release();
  });

  test('its holder is on another machine and shows no heartbeat', async () => {
    await writeFile(file(), await lockText({ host: 'elsewhere' }));
    await (await lockDataFolder(folder, 1_000)).release();
  });
});

test('a holder on another machine that shows a heartbeat is believed', async () => {
  await writeFile(file(), await lockText({ host: 'elsewhere', pid: 4711 }));
  const heartbeat = setInterval(() => void utimes(file(), new Date(), new Date()), 400);
  try {
    await expect(lockDataFolder(folder, 5_000)).rejects.toThrow('the process 4711 on elsewhere;');
  } finally {
    clearInterval(heartbeat);
  }
});

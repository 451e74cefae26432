// `rowhouse upgrade`: one project with a snapshot and back, then all, beside a server that runs.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { send, type Reply } from '../support/http.js';
import {
  askEmbedded,
  freePorts,
  makeFolder,
  startRowhouse,
  type RowhouseProcess,
} from './rowhouse-process.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let folder: string;
let env: Record<string, string>;
let running: RowhouseProcess;

beforeAll(async () => {
  folder = await makeFolder();
  env = { ...(await freePorts()), DATA_DIR: join(folder, 'data'), PROJECT_UPGRADES: 'manual' };
  running = startRowhouse(env);
  await running.ready();
});
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

const upgrade = (...args: string[]): Promise<Ended> => upgradeWith({}, ...args);

function upgradeWith(added: Record<string, string>, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['bin/rowhouse.js', 'upgrade', ...args],
      { env: { PATH: process.env['PATH'], ...env, ...added } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const query = (sql: string) => askEmbedded(env['DATA_DIR'] ?? '', sql, 'rowhouse');
const health = (): Promise<Reply> =>
  send(`http://127.0.0.1:${env['PORT']}`, {
    path: '/api/health-check',
    headers: { host: 'demo.localhost' },
  });

test('one project is upgraded, put back, and upgraded with all', async () => {
  expect(await upgrade('--canary', 'demo')).toEqual({
    code: 0,
    stdout: 'demo  has all that this release needs\n',
    stderr: '',
  });
  await query(`update project set migrated_to = 'before'`);

  const canary = await upgrade('--canary', 'demo');
  expect(canary).toMatchObject({ code: 0, stderr: '' });
  expect(canary.stdout).toMatch(/^demo {2}upgraded, away for \d+ ms; the snapshot is kept\n$/);
  expect((await health()).status).toBe(200);
  const status = await upgrade('--status');
  expect(status.stdout).toMatch(
    /^release {4}[0-9a-f]{12}\nleft {7}0 projects\nupgrade {4}not begun\nfailures {3}0\nsnapshots {2}1\n {2}demo {2}\S+Z {2}rowhouse_snapshot_[0-9a-f]{20}\n$/,
  );

  const undone = await upgrade('--undo', 'demo');
  expect(undone).toEqual({
    code: 0,
    stdout: 'demo  put back to its snapshot; what was written since is lost\n',
    stderr: '',
  });
  expect(await health()).toMatchObject({ status: 503, body: { code: 'PROJECT_NOT_UPGRADED' } });

  await query(`update project set upgrade_held = false`);
  const all = await upgrade();
  expect(all.stdout).toMatch(
    /^wave 1 {2}demo {2}upgraded, away for \d+ ms; the snapshot is kept\nThe upgrade is done\.\n$/,
  );
  const kinds = await query(`select state from operation where kind = 'upgrade' order by id`);
  expect(kinds).toEqual([
    { state: 'done' },
    { state: 'done' },
    { state: 'undone' },
    { state: 'done' },
  ]);
  expect(await upgrade('--confirm', 'all')).toMatchObject({
    code: 0,
    stdout: 'demo  snapshot dropped\n',
  });
  expect(await query(`select from pg_database where datname like 'rowhouse\\_snapshot%'`)).toEqual(
    [],
  );
});

test('without room for snapshots nothing begins, and it goes on without them', async () => {
  await query(`update project set migrated_to = 'before'`);
  const disk = { DISK_RESERVE_MB: '999999999' };
  const full = await upgradeWith(disk);
  expect(full).toMatchObject({ code: 1, stdout: '' });
  expect(full.stderr).toMatch(
    /^rowhouse: The snapshots of wave 1 take [1-9]\d* MB, and the disk [^\n]+ --no-snapshot\n$/,
  );
  expect(await query('select migrated_to from project')).toEqual([{ migrated_to: 'before' }]);
  expect(await query('select from project_snapshot')).toEqual([]);
  expect(await upgradeWith(disk, '--no-snapshot')).toEqual({
    code: 0,
    stdout: 'wave 1  demo  upgraded\nThe upgrade is done.\n',
    stderr: '',
  });
  expect(await query('select from project_snapshot')).toEqual([]);
});

test.each([
  { args: ['--canary', 'nothing'], line: 'There is no active or paused project nothing' },
  { args: ['--undo', 'nothing'], line: 'There is no active or paused project nothing' },
  { args: ['--confirm', 'nothing'], line: 'There is no snapshot of the project nothing' },
  { args: ['--skip', 'nothing'], line: '--skip names nothing, but this project does not exist' },
  {
    args: ['all'],
    line: "Unexpected argument 'all'; see rowhouse --help",
  },
])('$args is one line and exit code 1', async ({ args, line }) => {
  expect(await upgrade(...args)).toEqual({ code: 1, stdout: '', stderr: `rowhouse: ${line}\n` });
});

// The baseline that PostgreSQL itself ships: pgbench, prepared statements, a fixed number of clients.

import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  statementsOf,
  WARM_UP_SECONDS,
  type Baseline,
  type BaselineLoad,
  type BaselineTarget,
  type BaselineWork,
} from './baseline.js';
import type { BenchCase } from './case.js';
import { SESSIONS } from './database/accounts.js';
import { childEnv } from './env.js';

const run = promisify(execFile);

// Pipelines in scripts came with 14.
const OLDEST_MAJOR = 14;
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const THREADS = 2;
/** What a second run has in addition: its connections may take all of the time of the first. */
const MORE_SECONDS = 4;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Any reason why a file cannot be run means the same here: it is not a candidate.
    return false;
  }
}

function debianFolders(): string[] {
  let majors: string[];
  try {
    majors = readdirSync(DEBIAN_FOLDER);
  } catch {
    // The folder is there on Debian and its relatives only.
    return [];
  }
  majors.sort((a, b) => Number(b) - Number(a));
  return majors.map((major) => join(DEBIAN_FOLDER, major, 'bin'));
}

/** The newest usable pgbench: on the path, or where Debian keeps each version's own. */
export async function findPgbench(searchPath: readonly string[]): Promise<string | undefined> {
  const candidates = [...debianFolders(), ...searchPath].map((folder) => join(folder, 'pgbench'));
  const file = candidates.find(isExecutable);
  if (file === undefined) return undefined;
  const { stdout } = await run(file, ['--version'], { env: childEnv() });
  const major = Number(/\b(\d+)\.\d+/.exec(stdout)?.[1]);
  return major >= OLDEST_MAJOR ? file : undefined;
}

/**
 * The script of one transaction. Pipelined: everything between two Syncs, BEGIN and COMMIT included,
 * in one round trip; serial: four round trips, as a client does that waits for each answer.
 */
export function pgbenchScript(work: BaselineWork): string {
  const statements = ['begin', ...statementsOf(work), 'commit'].map(
    (statement) => `${statement.replaceAll(/\s+/g, ' ').trim()};`,
  );
  return [
    `\\set session random(1, ${String(SESSIONS)})`,
    `\\set n random(1, ${String(work.measured.keys)})`,
    ...(work.travel === 'pipelined'
      ? ['\\startpipeline', ...statements, '\\endpipeline']
      : statements),
    '',
  ].join('\n');
}

/** What a run of pgbench has printed. */
export interface PgbenchOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** A run without a rate, such as one whose connections have taken all of its time. */
export class TooShortError extends Error {
  constructor(output: string) {
    super(`pgbench gave no rate: ${output}`);
    this.name = 'TooShortError';
  }
}

/**
 * Reads the transactions per second after the warm-up from pgbench's summary and its first line of progress;
 * 0 when it had no time for any. Throws when a transaction failed, and TooShortError when there is no rate.
 */
export function parsePgbench({ stdout, stderr }: PgbenchOutput): number {
  const figure = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1]);
  const failed = figure(/^number of failed transactions: (\d+)/m);
  if (failed > 0) throw new Error(`pgbench reports ${String(failed)} failed transactions`);
  const all = figure(/^number of transactions actually processed: (\d+)/m);
  if (all === 0) return 0;
  const [, warmUpEnd, warmUpRate] = /^progress: ([\d.]+) s, ([\d.]+) tps/m.exec(stderr) ?? [];
  const warmUp = Number(warmUpEnd);
  const seconds = all / figure(/^tps = ([\d.]+)/m) - warmUp;
  const perSecond = (all - warmUp * Number(warmUpRate)) / seconds;
  if (!(seconds > 0 && perSecond >= 0)) throw new TooShortError(stdout.trim());
  return perSecond;
}

async function runPgbench(
  file: string,
  target: BaselineTarget,
  args: readonly string[],
): Promise<PgbenchOutput> {
  const place = ['-h', target.host, '-p', String(target.port), '-U', target.user, target.database];
  try {
    return await run(file, [...args, ...place], {
      env: childEnv({ PGPASSWORD: target.password }),
    });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new Error(`pgbench failed: ${said.trim().slice(-500)}`, { cause: error });
  }
}

/** The arguments of one run; a body travels as a parameter, as it does in the product. */
export function pgbenchArguments(
  script: string,
  { body }: Pick<BenchCase, 'body'>,
  { clients, seconds }: BaselineLoad,
): string[] {
  const threads = Math.min(THREADS, clients);
  return [
    '--no-vacuum',
    '--protocol=prepared',
    `--file=${script}`,
    `--client=${String(clients)}`,
    `--jobs=${String(threads)}`,
    `--time=${String(WARM_UP_SECONDS + seconds)}`,
    `--progress=${String(WARM_UP_SECONDS)}`,
    ...(body === undefined ? [] : [`--define=body=${body}`]),
  ];
}

/** Transactions of a script per second after the warm-up. Rejects when any transaction failed. */
export async function pgbenchScriptRate(
  file: string,
  target: BaselineTarget,
  { script, body, ...load }: BaselineLoad & Pick<BenchCase, 'body'> & { readonly script: string },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-bench-'));
  try {
    const path = join(folder, 'transaction.sql');
    await writeFile(path, script);
    const measure = async (seconds: number): Promise<number> => {
      const args = pgbenchArguments(path, body === undefined ? {} : { body }, { ...load, seconds });
      return parsePgbench(await runPgbench(file, target, args));
    };
    return await measure(load.seconds).catch((error: unknown) => {
      if (error instanceof TooShortError) return measure(load.seconds + MORE_SECONDS);
      throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A baseline that runs the program `file` with a password of `target` in its environment. */
export function pgbenchBaseline(file: string, target: BaselineTarget): Baseline {
  return {
    title: 'pgbench',
    measures: () => true,
    measure(work: BaselineWork, load: BaselineLoad): Promise<number> {
      const { body } = work.measured;
      const script = pgbenchScript(work);
      return pgbenchScriptRate(file, target, {
        script,
        ...load,
        ...(body === undefined ? {} : { body }),
      });
    },
  };
}

// The only reader of the environment in bench/. What the measured processes inherit is a short list,
// so that a variable of the shell (a PORT, a DATABASE_URL) cannot change what is measured.

import { delimiter } from 'node:path';

const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL'] as const;

export interface BenchEnv {
  /** A superuser's connection string of a server made for this run; absent: the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly searchPath: readonly string[];
}

export function readEnv(): BenchEnv {
  const databaseUrl = process.env['BENCH_DATABASE_URL'];
  return {
    databaseUrl: databaseUrl === '' ? undefined : databaseUrl,
    searchPath: (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
  };
}

/** The environment of a measured process: the inherited list and what the caller adds. */
export function childEnv(added: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = process.env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return { ...inherited, ...added };
}

/** Everything, for what is not measured: an installation needs the proxies and settings of the shell. */
export function shellEnv(): NodeJS.ProcessEnv {
  return process.env;
}

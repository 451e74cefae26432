// The programs of PostgreSQL on this machine.
import { execFileSync } from 'node:child_process';
import type { describe } from 'vitest';

import { describeIf } from '#libs/testing';

import { asSuperuser } from './deployment.js';

/** The newest version of a program on this machine, by Debian's folders and the path; 0 where it is not installed. */
export function majorOf(program: string): number {
  try {
    const text = execFileSync(program, ['--version'], { encoding: 'utf8' });
    return Number(/\(PostgreSQL\) (\d+)/.exec(text)?.[1] ?? 0);
  } catch {
    // The tests that need it say so.
    return 0;
  }
}

/** The version of the test server. */
export async function serverMajor(): Promise<number> {
  const [version] = await asSuperuser(
    `select current_setting('server_version_num')::int as number`,
  );
  return Math.floor(Number(version?.['number']) / 10_000);
}

/** A group of tests that dump the test server: skipped, with the reason in the output, where pg_dump cannot. */
export async function describeDumps(): Promise<typeof describe | typeof describe.skip> {
  const [program, server] = [majorOf('pg_dump'), await serverMajor()];
  const reason =
    program === 0
      ? 'no pg_dump on this machine (package postgresql-client)'
      : `pg_dump ${program} refuses a server of version ${server}`;
  return describeIf(program >= server, reason);
}

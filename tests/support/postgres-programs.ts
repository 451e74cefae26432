// The programs of PostgreSQL on this machine.
import { execFileSync } from 'node:child_process';

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

/** Whether pg_dump takes the test server; says so where it does not. */
export async function canDump(): Promise<boolean> {
  const [program, server] = [majorOf('pg_dump'), await serverMajor()];
  if (program >= server) return true;
  process.stderr.write(`skipped: pg_dump ${program} refuses a server of version ${server}\n`);
  return false;
}

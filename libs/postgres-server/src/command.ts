import { spawn } from 'node:child_process';
import { PostgresServerError, systemErrorCode } from './postgres-server-error.js';

/** The system user that a command runs as instead of ours. Only root can switch users. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface CommandResult {
  readonly exitCode: number | null;
  /** Standard output and standard error in the order in which they arrived. */
  readonly output: string;
}

/**
 * PostgreSQL receives nothing of our environment: `PG*` variables would redirect it, our secrets would be readable in
 * its memory, and its messages are parsed, so they must be English.
 */
const environment = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };

/**
 * Runs a program to its end, as `account` if given. The working directory is `/`, because the account may not be able
 * to enter ours.
 */
export function runCommand(
  file: string,
  args: readonly string[],
  account: Account | undefined,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: '/',
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...account,
    });
    let output = '';
    const collect = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('error', (error) => reject(new PostgresServerError(explain(file, error), error)));
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}

function explain(file: string, error: Error): string {
  const code = systemErrorCode(error);
  if (code === 'ENOENT') {
    // The file exists: the missing part is the loader of the C library that it was linked with.
    return `${file} cannot run on this system (it needs glibc); set DATABASE_URL to use a server of your own`;
  }
  if (code === 'EPERM' || code === 'EINVAL') {
    return 'This root user may not switch to another user, and PostgreSQL refuses to run as root; start as an ordinary user or set DATABASE_URL';
  }
  return `${file} cannot be run: ${error.message}`;
}

import { type ChildProcess, spawn } from 'node:child_process';

/** The system user that a command runs as in place of ours. Only root can switch users. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The whole standard input; without it there is none. */
  readonly input?: string;
  readonly account: Account | undefined;
}

export interface CommandResult {
  /** Null if a signal has ended it. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
  readonly isTimeout: boolean;
}

/** An answer of `deno info` about a thousand modules has about 2 MB. */
const maxOutput = 32 * 1024 * 1024;
const maxErrors = 64 * 1024;

/** Starts a program in a process group of its own, with this environment and nothing of ours. */
export function start({ program, args, env, input, account }: Command): ChildProcess {
  const child = spawn(program, args, {
    cwd: '/',
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
    ...account,
  });
  // A program that ends before it has read all has its reasons in its output.
  child.stdin?.on('error', () => undefined).end(input);
  return child;
}

/** Ends a process with its group at once. */
export function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Runs a program to its end, or ends it after `timeoutMs`. Rejects if it cannot be started. */
export function runCommand(command: Command, timeoutMs: number): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = start(command);
    let output = '';
    let errors = '';
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      if (child.pid !== undefined) kill(child.pid);
    }, timeoutMs);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < maxOutput) output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < maxErrors) errors += text;
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, output, errors, isTimeout });
    });
  });
}

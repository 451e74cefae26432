// What the system knows about a process that we did not start. A pid alone does not identify a process: pids are
// reused, and after the restart of a container they are the same small numbers.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { systemErrorCode } from './postgres-server-error.js';

/** Whether a process with this pid exists, owned by any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

/** When the process started, as a text that differs for another process with the same pid; undefined when unknown. */
export function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return askPs(pid, 'lstart=');
  const stat = readProc(`/proc/${pid}/stat`);
  // Field 22, counted after the name, which is in parentheses and may contain any character.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** The pid of its parent process; undefined if unknown. */
export function parentOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return Number(askPs(pid, 'ppid=')) || undefined;
  const stat = readProc(`/proc/${pid}/stat`);
  return Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || undefined;
}

/** The command line of the process, its parts separated by one space; undefined if unknown. */
export function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return askPs(pid, 'command=');
  return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemErrorCode(error) ?? ''))
      return undefined;
    throw error;
  }
}

function askPs(pid: number, field: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    return execFileSync('/bin/ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // ps exits with 1 if the process does not exist; without ps the result is unknown, too.
    return undefined;
  }
}

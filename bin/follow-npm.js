// `npm start` runs a shell, and the shell runs the server. A signal to npm ends npm and the shell, and the server would
// stay with its ports and its data folder. It ends when one of them is gone, as it does at SIGTERM.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const everyMs = 500;
const shells = /^(sh|ash|dash|bash|ksh|zsh|busybox)$/;

/** Ends this process when the npm that runs it ends. Does nothing where npm does not run it. */
export async function followNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const { name, parent: above } = await describe(parent);
  const isGone = () =>
    process.ppid !== parent || !isAlive(parent) || (shells.test(name) && !isAlive(above));
  const watch = setInterval(() => {
    if (!isGone()) return;
    clearInterval(watch);
    // Before the server listens to signals there is nothing to close.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
  }, everyMs);
  watch.unref();
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Name and parent of a process; an empty name if neither /proc nor ps knows it. */
async function describe(pid) {
  const facts = (await fromProc(pid)) ?? (await fromPs(pid));
  const [, name = '', parent = '0'] = facts ?? [];
  return { name, parent: Number(parent) };
}

async function fromProc(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // There is no /proc.
  return /\((.*)\) \S+ (\d+)/.exec(text);
}

async function fromPs(pid) {
  const asked = promisify(execFile)('ps', ['-o', 'comm=,ppid=', '-p', String(pid)]);
  const { stdout } = await asked.catch(() => ({ stdout: '' })); // There is no ps.
  return /([^/\s]+)\s+(\d+)\s*$/.exec(stdout);
}

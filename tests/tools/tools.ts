// Programs of others that `.ci/on-tools` installs, each in a folder of its own work.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = process.env['TOOLS_DIR'] ?? '';

/** Where the packages are. */
export const packages = join(folder, 'node_modules');
export const hasTools = folder !== '' && existsSync(packages);
export const reason = 'the programs of .ci/on-tools are not installed (TOOLS_DIR)';

/** A new folder with these files, in which the packages are found. */
export async function workFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'rowhouse-tools-'));
  await symlink(packages, join(work, 'node_modules'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(work, name), text);
  return work;
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of a package to its end. */
export async function runTool(
  name: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const { cwd, env = {} } = options;
  const quiet = {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    CHECKPOINT_DISABLE: '1',
  };
  try {
    const { stdout, stderr } = await run(join(packages, '.bin', name), [...args], {
      cwd,
      env: { ...process.env, ...quiet, ...env },
      maxBuffer: 64 * 1024 ** 2,
    });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('stderr' in error)) throw error;
    const code = 'code' in error && typeof error.code === 'number' ? error.code : -1;
    return { code, output: `${String(error.stdout)}${String(error.stderr)}` };
  }
}

// A command about the console: opens a filled deployment, does its work, and puts everything away, after a signal too.
import { Cleanup } from '../../bench/cleanup.js';
import { type ConsoleSite, openConsoleSite } from './console-site.js';

interface Command {
  /** Words after the command. */
  readonly args: readonly string[];
  /** Reports progress on standard error. */
  readonly say: (line: string) => void;
  /** Opens the deployment. `visitCount` is how many rows its largest table has. */
  readonly openSite: (visitCount: number) => Promise<ConsoleSite>;
}

/** Runs `work`. An error ends the command with one line and the exit code 1. */
export async function runOnSite(
  name: string,
  work: (command: Command) => Promise<void>,
): Promise<void> {
  const say = (line: string): void => console.error(`${name}: ${line}`);
  const cleanup = new Cleanup();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void cleanup.close().finally(() => process.exit(130)));
  }
  const openSite = (visitCount: number) => openConsoleSite(cleanup, { visitCount, say });
  try {
    await work({ args: process.argv.slice(2), say, openSite });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    await cleanup.close();
  }
}

// How long and how hard the soak goes: a little with all other tests, much when `npm run soak` asks for it.
import { randomInt } from 'node:crypto';

function numberOf(name: string, usual: number): number {
  return Number(process.env[name] ?? usual);
}

/** Whether somebody waits for progress and a table at the end. */
export const isLongRun = process.env['SOAK_SECONDS'] !== undefined;

/** For how long accounts are under load. */
export const soakSeconds = numberOf('SOAK_SECONDS', 15);
export const soakWorkers = numberOf('SOAK_WORKERS', 8);
export const soakProjects = numberOf('SOAK_PROJECTS', 2);

/** Decides what each worker does, though not how the workers meet: that is the machine's to decide. */
export const soakSeed = numberOf('SOAK_SEED', randomInt(1, 2 ** 31 - 2));

/** For how long clients follow changes, and how many of each kind. */
export const followedSeconds = numberOf('SOAK_REALTIME', 20);
export const isLongFollowing = process.env['SOAK_REALTIME'] !== undefined;
export const soakFollowers = numberOf('SOAK_FOLLOWERS', 4);

/** How many projects are visited in turn. */
export const visitedProjects = numberOf('SOAK_VISIT', 5);
export const isLongVisit = process.env['SOAK_VISIT'] !== undefined;

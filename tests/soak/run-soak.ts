// Puts accounts of some projects under load for a time, and says what did not hold.
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { changeRole, changeStatus, deleteSelf, deleteUser, endSessions } from './admin-steps.js';
import { Chance } from './chance.js';
import { Clock } from './history.js';
import { Violation } from './invariants.js';
import { memoryNow, type Memory } from './memory.js';
import { changePassword, resetByAdmin, resetPassword } from './password-steps.js';
import { settle } from './settle.js';
import { Tally } from './tally.js';
import {
  readAsAdmin,
  readRows,
  readSession,
  signIn,
  signOut,
  signUp,
  signUpTaken,
  tryElsewhere,
} from './user-steps.js';
import type { Soak, Turn, World } from './world.js';

export interface SoakOptions {
  readonly seconds: number;
  readonly workers: number;
  readonly projects: number;
  readonly seed: number;
  /** Hears a line each minute. */
  readonly say: (line: string) => void;
}

export interface SoakResult {
  readonly violations: readonly Violation[];
  readonly tally: Tally;
  /** For how long there was load. */
  readonly seconds: number;
  readonly memory: Readonly<Record<'start' | 'middle' | 'end', Memory>>;
}

const STEPS = {
  'sign-up': signUp,
  'sign-up again': signUpTaken,
  'sign-in': signIn,
  'sign-out': signOut,
  rows: readRows,
  'get-session': readSession,
  'admin route': readAsAdmin,
  'other project': tryElsewhere,
  reset: resetPassword,
  'reset by admin': resetByAdmin,
  'change password': changePassword,
  'promote or demote': changeRole,
  'deactivate or activate': changeStatus,
  'end sessions': endSessions,
  deletion: deleteUser,
  'own deletion': deleteSelf,
} as const satisfies Record<string, (turn: Turn) => Promise<void>>;

type Step = keyof typeof STEPS;
// What Object.keys gives are the names of the object.
const STEP_NAMES = Object.keys(STEPS) as readonly Step[];

const WEIGHTS: Readonly<Record<Step, number>> = {
  'sign-up': 1,
  'sign-up again': 1,
  'sign-in': 18,
  'sign-out': 4,
  rows: 30,
  'get-session': 6,
  'admin route': 10,
  'other project': 2,
  reset: 3,
  'reset by admin': 3,
  'change password': 4,
  'promote or demote': 6,
  'deactivate or activate': 8,
  'end sessions': 2,
  deletion: 1,
  'own deletion': 1,
};

const usersPerWorker = 3;
const minuteMs = 60_000;

/** Opens a deployment, puts it under load, and compares it with the model at the end. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const deployment = await Deployment.shared();
  try {
    const soak = await openSoak(deployment, options);
    await populate(soak, options.seed);
    const measured = await load(soak, options);
    const { violations } = measured;
    if (violations.length === 0) violations.push(...(await settle(soak)));
    return { ...measured, tally: soak.tally };
  } finally {
    await deployment.close();
  }
}

async function openSoak(deployment: Deployment, { workers, projects }: SoakOptions): Promise<Soak> {
  const worlds: World[] = [];
  for (let index = 0; index < projects; index += 1) {
    const project = await deployment.createProject();
    await project.sql(`create table notes (
        owner text primary key default auth.uid() references auth."user" (id) on delete cascade,
        project text not null default '${project.ref}');
      create policy own on notes to authenticated using (owner = (select auth.uid()));`);
    await liftLimits(project);
    worlds.push({ project, accounts: new Set(), graves: [] });
  }
  const usersPerProject = Math.ceil((workers * usersPerWorker) / projects);
  return { worlds, clock: new Clock(), tally: new Tally(), usersPerProject, nextAddress: 0 };
}

/** Half of the users that there will be, so that every kind of step finds somebody from the beginning. */
async function populate(soak: Soak, seed: number): Promise<void> {
  for (const world of soak.worlds) {
    const turn: Turn = { soak, world, chance: new Chance(seed), step: 'sign-up' };
    while (world.accounts.size < soak.usersPerProject / 2) await signUp(turn);
  }
}

/** All workers come from one network address, and sign in more often than people do. */
export async function liftLimits(project: ProjectUnderTest): Promise<void> {
  const many = { perAddress: 1_000_000, perIdentifier: 1_000_000 };
  const kinds = ['signUp', 'signIn', 'sendEmail', 'verifyCode', 'passwordReset'];
  const groups = {
    'security.rateLimit': { max: 1_000_000, credentialMax: 1_000_000 },
    'auth.rateLimits': Object.fromEntries(kinds.map((kind) => [kind, many])),
  };
  for (const [group, body] of Object.entries(groups)) {
    const path = `/api/admin/settings/${group}`;
    const reply = await project.asService({ method: 'PUT', path, body });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  }
}

async function load(soak: Soak, { seconds, workers, seed, say }: SoakOptions) {
  const violations: Violation[] = [];
  const startedAt = Date.now();
  const endsAt = startedAt + seconds * 1000;
  const isOver = () => violations.length > 0 || Date.now() >= endsAt;
  const work = async (number: number) => {
    const chance = new Chance(seed + number);
    // The workers share out one turn of every kind; what follows is up to chance.
    const first = STEP_NAMES.filter((_, index) => index % workers === number);
    while (!isOver()) {
      const violation = await takeTurn(soak, chance, first.shift());
      if (violation) violations.push(violation);
    }
  };
  const start = memoryNow();
  let middle = start;
  const atMiddle = setTimeout(() => {
    middle = memoryNow();
  }, seconds * 500);
  const eachMinute = setInterval(() => say(progress(soak, startedAt)), minuteMs);
  try {
    await Promise.all(Array.from({ length: workers }, (_, number) => work(number)));
  } finally {
    clearTimeout(atMiddle);
    clearInterval(eachMinute);
  }
  const memory = { start, middle, end: memoryNow() };
  return { violations, memory, seconds: (Date.now() - startedAt) / 1000 };
}

/** One step, the named one or any; gives back what does not hold. */
async function takeTurn(
  soak: Soak,
  chance: Chance,
  named: Step | undefined,
): Promise<Violation | undefined> {
  const world = chance.pick(soak.worlds);
  if (!world) throw new Error('there is no project');
  const step = named ?? chance.weighted(weightsFor(soak, world));
  try {
    await STEPS[step]({ soak, world, chance, step });
    return undefined;
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return error;
  }
}

/** Few users make way for more, and many for less. */
function weightsFor({ usersPerProject }: Soak, { accounts }: World): typeof WEIGHTS {
  if (accounts.size < usersPerProject / 2) return { ...WEIGHTS, 'sign-up': 40 };
  if (accounts.size < usersPerProject) return { ...WEIGHTS, 'sign-up': 6 };
  return { ...WEIGHTS, deletion: 3 };
}

function progress({ worlds, tally }: Soak, startedAt: number): string {
  const seconds = (Date.now() - startedAt) / 1000;
  const accounts = worlds.flatMap((world) => [...world.accounts]);
  const sessions = accounts.reduce((sum, account) => sum + account.sessions.size, 0);
  const { heapUsed, rss } = process.memoryUsage();
  const inMb = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
  return [
    `${Math.round(seconds / 60)} min`,
    `${tally.total} requests`,
    `${Math.round(tally.total / seconds)}/s`,
    `${accounts.length} users`,
    `${sessions} sessions`,
    `heap ${inMb(heapUsed)} of ${inMb(rss)}`,
  ].join(', ');
}

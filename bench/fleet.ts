// Many projects on one deployment: how long one takes to make, to sweep and to delete, how long the first request of a
// project that is not in memory takes, and how many connections a walk through all of them leaves behind.

import type { Client } from 'pg';
import { call } from './control.js';
import { countConnections, waitForIdle } from './idle.js';
import type { CreatedProject, Product, Project } from './product.js';
import { spread, type Spread } from './spread.js';
import { measureSweeps } from './sweeps.js';

/** The number of projects, the first ones, that have many tables. */
export const WIDE_PROJECTS = 3;
/** The fewest with projects of one table on both sides of the limit. */
export const LEAST_PROJECTS = 2 * (WIDE_PROJECTS + 2);
const WIDE_TABLES = 200;
// The compiler has seen the path by then, so that a first request measures the project, not Node.
const WARM_UP_REQUESTS = 500;
const DELETIONS = 20;

export interface FleetResult {
  readonly projects: number;
  readonly createMs: Spread;
  /** Deletions that are not to be undone: database, roles and files are gone with the answer. */
  readonly deleteMs: Spread;
  /** First request after a restart, projects of one table, while there is room for more live projects. */
  readonly coldMs: Spread;
  /** The same, when another project has to be evicted. */
  readonly coldAboveMs: Spread;
  /** The same, projects of 200 tables. */
  readonly coldWideMs: Spread;
  readonly connectionsAfterTouch: number;
  readonly connectionsAfterIdle: number;
  /** Seconds until the last connection was closed, or the limit when some stayed. */
  readonly idleSeconds: number;
  /** Sweeps of projects that no request has reached since their connections were closed. */
  readonly sweepMs: Spread;
}

export interface FleetSite {
  readonly projects: readonly CreatedProject[];
  /** A project with a table `posts` that is already there. */
  readonly warm: Project;
  /** A superuser's connection to a database that is none of the projects'. */
  readonly admin: Client;
  /** The superuser in the control-plane database. */
  readonly controlPlane: Client;
  /** Ends the product and starts it again on the same data: every project is cold. */
  readonly restart: (how: { readonly maxLiveProjects: number }) => Promise<Product>;
}

const NOTES_PATH = '/rest/v1/notes?limit=1';
const NOTES_SQL = `create table public.notes (
  id bigint generated always as identity primary key, content text not null)`;

const WIDE_SQL = Array.from(
  { length: WIDE_TABLES - 1 },
  (_, index) => `create table public.wide_${String(index)} (
    id bigint generated always as identity primary key,
    name text not null, amount numeric, at timestamptz not null default now())`,
).join(';\n');

/** Makes that number of projects with a table `notes`. */
export async function createFleet(
  product: Product,
  projects: number,
): Promise<readonly CreatedProject[]> {
  const created: CreatedProject[] = [];
  // One after another: the time of one is measured.
  for (let index = 0; index < projects; index += 1) {
    const project = await product.createProject(`fleet${String(index).padStart(3, '0')}`);
    await product.runSql(project, index < WIDE_PROJECTS ? `${NOTES_SQL};\n${WIDE_SQL}` : NOTES_SQL);
    // Used once, as a project is that was there before a restart.
    await touch(product, project, NOTES_PATH);
    created.push(project);
  }
  return created;
}

async function touch(product: Product, project: Project, path: string): Promise<number> {
  const reply = await call({ port: product.apiPort, host: project.host, method: 'GET', path });
  return reply.ms;
}

async function touchAll(product: Product, projects: readonly Project[]): Promise<number[]> {
  const times: number[] = [];
  for (const project of projects) {
    times.push(await touch(product, project, NOTES_PATH));
  }
  return times;
}

/** Returns how long the deletion of each of some projects takes, which are made for it and used once. */
async function measureDeletions(product: Product): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < DELETIONS; index += 1) {
    const project = await product.createProject(`gone${String(index)}`);
    await product.runSql(project, NOTES_SQL);
    const begun = performance.now();
    await product.deleteProject(project.ref);
    times.push(performance.now() - begun);
  }
  return times;
}

/**
 * Splits the times of the first requests of all projects, in their order, by what they met. `warm` is live before them;
 * from then on each takes a place, until `maxLive` are taken.
 */
export function splitCold(times: readonly number[], maxLive: number) {
  const free = maxLive - 1;
  return {
    wide: times.slice(0, WIDE_PROJECTS),
    below: times.slice(WIDE_PROJECTS, free),
    above: times.slice(free),
  };
}

export async function measureFleet(site: FleetSite): Promise<FleetResult> {
  const fleet = site.projects;
  const maxLiveProjects = Math.floor(fleet.length / 2);
  const restarted = await site.restart({ maxLiveProjects });
  for (let count = 0; count < WARM_UP_REQUESTS; count += 1) {
    await touch(restarted, site.warm, '/rest/v1/posts?limit=1');
  }
  const cold = splitCold(await touchAll(restarted, fleet), maxLiveProjects);
  const everyProject = [...fleet, site.warm];
  const connectionsAfterTouch = await countConnections(site.admin, everyProject);
  const idle = await waitForIdle(site.admin, everyProject);
  const sweepMs = spread(await measureSweeps(site.controlPlane, fleet));
  return {
    projects: fleet.length,
    createMs: spread(fleet.map((project) => project.createdInMs)),
    deleteMs: spread(await measureDeletions(restarted)),
    coldMs: spread(cold.below),
    coldAboveMs: spread(cold.above),
    coldWideMs: spread(cold.wide),
    connectionsAfterTouch,
    connectionsAfterIdle: idle.left,
    idleSeconds: idle.seconds,
    sweepMs,
  };
}

// Many projects on one deployment: how long one takes to make, how long the first request of a project
// that is not in memory takes, and how many connections a walk through all of them leaves behind.

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { call } from './control.js';
import { BENCH_APPLICATION } from './database/connection.js';
import type { CreatedProject, Product, Project } from './product.js';
import { median } from './rate-book.js';

const WIDE_PROJECTS = 3;
const WIDE_TABLES = 200;
// The compiler has seen the path by then, so that a first request measures the project, not Node.
const WARM_UP_REQUESTS = 500;
const IDLE_POLL_MS = 500;
const IDLE_LIMIT_MS = 90_000;

export interface Spread {
  readonly median: number;
  readonly max: number;
}

export interface FleetResult {
  readonly projects: number;
  readonly createMs: Spread;
  /** First request after a restart, projects of one table. */
  readonly coldMs: Spread;
  /** The same, projects of 200 tables. */
  readonly coldWideMs: Spread;
  readonly connectionsAfterTouch: number;
  readonly connectionsAfterIdle: number;
  /** Seconds until the last connection was closed, or the limit when some stayed. */
  readonly idleSeconds: number;
}

export interface FleetSite {
  readonly projects: number;
  /** A project with a table `posts` that is already there. */
  readonly warm: Project;
  /** A superuser's connection to a database that is none of the projects'. */
  readonly admin: Client;
  /** Ends the product and starts it again on the same data: every project is cold. */
  readonly restart: () => Promise<Product>;
}

function spread(values: readonly number[]): Spread {
  return { median: median(values) ?? 0, max: Math.max(...values) };
}

const NOTES_SQL = `create table public.notes (
  id bigint generated always as identity primary key, content text not null)`;

const WIDE_SQL = Array.from(
  { length: WIDE_TABLES - 1 },
  (_, index) => `create table public.wide_${String(index)} (
    id bigint generated always as identity primary key,
    name text not null, amount numeric, at timestamptz not null default now())`,
).join(';\n');

async function createFleet(product: Product, projects: number): Promise<CreatedProject[]> {
  const created: CreatedProject[] = [];
  // One after another: the time of one is what is asked.
  for (let index = 0; index < projects; index += 1) {
    const project = await product.createProject(`fleet${String(index).padStart(3, '0')}`);
    await product.runSql(project, index < WIDE_PROJECTS ? `${NOTES_SQL};\n${WIDE_SQL}` : NOTES_SQL);
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
    times.push(await touch(product, project, '/rest/v1/notes?limit=1'));
  }
  return times;
}

async function countConnections(admin: Client, projects: readonly Project[]): Promise<number> {
  const { rows } = await admin.query<{ connections: number }>(
    `select count(*)::integer as connections from pg_stat_activity
      where datname = any($1) and backend_type = 'client backend' and application_name <> $2`,
    [projects.map((project) => project.databaseName), BENCH_APPLICATION],
  );
  return rows[0]?.connections ?? 0;
}

/** Waits until no connection is left or the limit is over. */
async function waitForIdle(
  admin: Client,
  projects: readonly Project[],
): Promise<{ readonly left: number; readonly seconds: number }> {
  const startedAt = performance.now();
  for (;;) {
    const left = await countConnections(admin, projects);
    const waitedMs = performance.now() - startedAt;
    if (left === 0 || waitedMs > IDLE_LIMIT_MS) return { left, seconds: waitedMs / 1000 };
    await delay(IDLE_POLL_MS);
  }
}

export async function measureFleet(product: Product, site: FleetSite): Promise<FleetResult> {
  const fleet = await createFleet(product, site.projects);
  const restarted = await site.restart();
  for (let count = 0; count < WARM_UP_REQUESTS; count += 1) {
    await touch(restarted, site.warm, '/rest/v1/posts?limit=1');
  }
  const times = await touchAll(restarted, fleet);
  const everyProject = [...fleet, site.warm];
  const connectionsAfterTouch = await countConnections(site.admin, everyProject);
  const idle = await waitForIdle(site.admin, everyProject);
  return {
    projects: site.projects,
    createMs: spread(fleet.map((project) => project.createdInMs)),
    coldMs: spread(times.slice(WIDE_PROJECTS)),
    coldWideMs: spread(times.slice(0, WIDE_PROJECTS)),
    connectionsAfterTouch,
    connectionsAfterIdle: idle.left,
    idleSeconds: idle.seconds,
  };
}

// What a project costs in the heap while it is served: first with its tables alone, then with its auth
// engine. The projects are cold at the beginning, one of them has warmed up what all share, and connections
// have been closed for want of use whenever the heap is read: a budget bounds them, whatever the number of
// projects.

import type { Client } from 'pg';
import { call } from '../control.js';
import { waitForIdle } from '../idle.js';
import type { Product, Project } from '../product.js';

const TABLE_PATH = '/rest/v1/notes?limit=1';
const SESSION_PATH = '/api/auth/get-session';
const WARM_UP_REQUESTS = 200;

/** The heap in use, in bytes. */
export interface HeapReadings {
  readonly before: number;
  /** After a table read of every project. */
  readonly withTables: number;
  /** After a session was asked of each, too. */
  readonly withEngines: number;
}

export interface HeapResult {
  readonly projects: number;
  /** Of a project that has served a table read, in bytes. */
  readonly tableBytes: number;
  /** What its auth engine adds. */
  readonly engineBytes: number;
  /** Both. */
  readonly projectBytes: number;
}

export function heapPerProject(
  { before, withTables, withEngines }: HeapReadings,
  projects: number,
): HeapResult {
  return {
    projects,
    tableBytes: (withTables - before) / projects,
    engineBytes: (withEngines - withTables) / projects,
    projectBytes: (withEngines - before) / projects,
  };
}

export interface HeapSite {
  /** Just started, with a memory probe: no project is live. */
  readonly product: Product;
  /** A project that is not counted. */
  readonly warm: Project;
  /** Those that are counted; each has a table `notes`. */
  readonly projects: readonly Project[];
  /** A superuser's connection to a database that is none of the projects'. */
  readonly admin: Client;
}

async function touch({ product }: HeapSite, { host }: Project, path: string): Promise<void> {
  await call({ port: product.apiPort, host, method: 'GET', path });
}

async function touchAll(site: HeapSite, path: string): Promise<void> {
  // One after another: a project needs one connection, and nothing waits for another's.
  for (const project of site.projects) await touch(site, project, path);
}

async function readHeap(site: HeapSite): Promise<number> {
  await waitForIdle(site.admin, [site.warm, ...site.projects]);
  return (await site.product.readMemory()).heapBytes;
}

export async function measureHeap(site: HeapSite): Promise<HeapResult> {
  for (let count = 0; count < WARM_UP_REQUESTS; count += 1) {
    await touch(site, site.warm, '/rest/v1/posts?limit=1');
    await touch(site, site.warm, SESSION_PATH);
  }
  const before = await readHeap(site);
  await touchAll(site, TABLE_PATH);
  const withTables = await readHeap(site);
  await touchAll(site, SESSION_PATH);
  const withEngines = await readHeap(site);
  return heapPerProject({ before, withTables, withEngines }, site.projects.length);
}

// What is measured of projects beside their rates: how soon a save holds, how long they take to make and to
// open, and what they cost in memory.

import { controlPlaneDatabase } from '../bin/control-plane-database.js';
import { measureHeap, type HeapResult } from './auth/heap.js';
import { turnOffRateLimits } from './auth/open-auth.js';
import { measureSaves, type SaveResult } from './auth/saves.js';
import { openClient, urlOfDatabase } from './database/connection.js';
import type { BenchResults } from './demands.js';
import { createFleet, measureFleet, WIDE_PROJECTS, type FleetResult } from './fleet.js';
import { isAuthAsked, isMoreThanAuthAsked } from './only.js';
import type { CreatedProject } from './product.js';
import type { ProductSite, Site } from './site.js';

const SAVES = 40;
const HEAP_PROJECTS = 100;

export interface FiguresAsked {
  readonly only: string;
  /** Projects of the fleet; 0: none, and no figure that needs them. */
  readonly projects: number;
  readonly say: (line: string) => void;
}

type Figures = Omit<BenchResults, 'rates'>;

async function figuresOfSaves(product: ProductSite): Promise<SaveResult> {
  await turnOffRateLimits(product);
  return measureSaves(product.current(), product.project, SAVES);
}

async function figuresOfFleet(
  { server }: Site,
  product: ProductSite,
  projects: readonly CreatedProject[],
): Promise<FleetResult> {
  const { project: warm, restart } = product;
  const controlPlane = await openClient(urlOfDatabase(server.url, controlPlaneDatabase));
  try {
    return await measureFleet({ projects, warm, admin: server.admin, controlPlane, restart });
  } finally {
    await controlPlane.end();
  }
}

/** Of the projects of one table, under a memory probe: nothing is measured after it. */
async function figuresOfHeap(
  { server }: Site,
  product: ProductSite,
  projects: readonly CreatedProject[],
): Promise<HeapResult> {
  return measureHeap({
    product: await product.restart({ isProbed: true }),
    warm: product.project,
    projects: projects.slice(WIDE_PROJECTS, WIDE_PROJECTS + HEAP_PROJECTS),
    admin: server.admin,
  });
}

/** Measures what is asked for; nothing without the product. */
export async function measureProjects(site: Site, asked: FiguresAsked): Promise<Figures> {
  const { product } = site;
  const { only, say } = asked;
  const isAuth = isAuthAsked(only);
  if (product === undefined) return { fleet: undefined, saves: undefined, heap: undefined };
  if (isAuth) say(`saving settings ${String(SAVES)} times`);
  const saves = isAuth ? await figuresOfSaves(product) : undefined;
  const isFleet = isMoreThanAuthAsked(only);
  const wanted = isFleet ? asked.projects : Math.min(asked.projects, WIDE_PROJECTS + HEAP_PROJECTS);
  if (wanted === 0) return { fleet: undefined, saves, heap: undefined };
  say(`making ${String(wanted)} projects`);
  const projects = await createFleet(product.current(), wanted);
  const fleet = isFleet ? await figuresOfFleet(site, product, projects) : undefined;
  if (isAuth) say('reading the heap of projects');
  const heap = isAuth ? await figuresOfHeap(site, product, projects) : undefined;
  return { fleet, saves, heap };
}

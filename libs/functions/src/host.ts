import { rm } from 'node:fs/promises';

import { fail } from '#libs/errors';

import { findDeno, type FoundDeno } from './find-deno.js';
import { place, type Placement } from './placement.js';
import { Places } from './places.js';
import { OpenFunctions } from './project-functions.js';
import { Turns } from './turns.js';
import type { FunctionsHost, FunctionsProject, ProjectFunctions } from './types.js';

export interface FunctionsHostOptions {
  /** For the files of functions: an absolute path. All below can be made again. */
  readonly folder: string;
  /** As root: for what the users of projects could not reach elsewhere; the first writable one is used. */
  readonly systemFolders?: readonly string[];
  /** Processes at the same time, of all projects. */
  readonly maxProcesses: number;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** In milliseconds, as `Date.now`. */
  readonly now: () => number;
  /** For imports of npm packages; by default the public registry. */
  readonly npmRegistry?: URL;
}

/** Checks of deploys at the same time: each takes as much of the processor and of the memory as it gets. */
const maxChecks = 2;
const defaultSystemFolders = ['/var/lib/rowhouse', '/var/tmp/rowhouse'];

/** Opens the functions of a process of the server. Nothing is started or written before the first use. */
export function openFunctionsHost(options: FunctionsHostOptions): FunctionsHost {
  return new Host(options, findDeno());
}

class Host implements FunctionsHost {
  readonly unavailable: string | undefined;
  readonly #places: Places;
  readonly #checks = new Turns(maxChecks);
  readonly #projects = new Set<ProjectFunctions>();
  #placement: Promise<Placement> | undefined;

  constructor(
    private readonly options: FunctionsHostOptions,
    private readonly deno: FoundDeno,
  ) {
    this.#places = new Places(options.maxProcesses);
    this.unavailable = whyNot(options, deno);
  }

  open(project: FunctionsProject): ProjectFunctions {
    const functions = new OpenFunctions(project, {
      placement: () => this.#ensurePlacement(),
      places: this.#places,
      checks: this.#checks,
      npmRegistry: this.options.npmRegistry,
      now: this.options.now,
      onClosed: (closed) => this.#projects.delete(closed),
    });
    this.#projects.add(functions);
    return functions;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#projects].map((functions) => functions.close()));
    const placement = await this.#placement?.catch(() => undefined);
    if (placement !== undefined) await rm(placement.sockets, { recursive: true, force: true });
  }

  #ensurePlacement(): Promise<Placement> {
    const { deno, unavailable } = this;
    if (deno.kind === 'missing' || unavailable !== undefined) {
      const reason = unavailable ?? '';
      return Promise.reject(fail('FUNCTIONS_UNAVAILABLE', { reason }));
    }
    this.#placement ??= place({
      folder: this.options.folder,
      systemFolders: this.options.systemFolders ?? defaultSystemFolders,
      deno: deno.program,
      log: this.options.log,
    }).catch((error: unknown) => {
      this.#placement = undefined;
      throw error;
    });
    return this.#placement;
  }
}

function whyNot({ folder }: FunctionsHostOptions, deno: FoundDeno): string | undefined {
  if (deno.kind === 'missing') return deno.reason;
  // Deno takes lists of paths that are separated by commas.
  return folder.includes(',') ? 'the path of the data folder has a comma' : undefined;
}

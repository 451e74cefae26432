// The pages of a folder of docs. Each page continues the overview, README.md: its program begins with that of the
// overview.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { readSteps, type Step } from './documented-steps.js';

export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export interface PageProgram {
  readonly path: string;
  /** Steps of the overview that run first. */
  readonly before: readonly Step[];
  readonly steps: readonly Step[];
}

/** Returns the pages of a folder: README.md first, then the others by name. */
export function readPages(folder: string): readonly Page[] {
  const others = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return ['README.md', ...others.sort()].map((file) => {
    const path = `${folder}/${file}`;
    return { path, text: readFileSync(path, 'utf8') };
  });
}

/** Returns the program of each page with steps; `isPart` leaves out steps of the overview that other pages do not need. */
export function programsOf(
  [overview, ...others]: readonly Page[],
  isPart: (step: Step) => boolean = () => true,
): readonly PageProgram[] {
  if (overview === undefined) throw new Error('the folder has no pages');
  const steps = readSteps(overview.text);
  const before = steps.filter(isPart);
  return [
    { path: overview.path, before: [], steps },
    ...others
      .map(({ path, text }) => ({ path, before, steps: readSteps(text) }))
      .filter((program) => program.steps.length > 0),
  ];
}

/** Returns the whole program of each page by a name for messages of the compiler. */
export function wholePrograms(
  programs: readonly PageProgram[],
): Readonly<Record<string, readonly Step[]>> {
  return Object.fromEntries(
    programs.map(({ path, before, steps }) => [basename(path, '.md'), [...before, ...steps]]),
  );
}

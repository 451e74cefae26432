// The options of the parts `trial` and `soak` of `npm run test:proof`.
import { parseArgs } from 'node:util';

export interface TrialOptions {
  readonly projects: number;
  /** The limit of the trial. Cases that have not begun by then fail. */
  readonly minutes: number;
  readonly soakMinutes: number;
  /** Names of cases, and `soak`; empty: all cases but the soak. */
  readonly only: readonly string[];
  readonly seed: number;
}

/** Some cases need a dozen projects of their own and others beside them. */
const leastProjects = 20;
const mostProjects = 10_000;
const mostMinutes = 24 * 60;
const mostSeed = 2 ** 31 - 2;

/** The text of `--help`; `names` are those that `--only` takes. */
export function usage(names: readonly string[]): string {
  return `npm run test:proof -- trial [options], npm run test:proof -- soak [options]

  --projects N        projects that are created (300; ${leastProjects} at least, about 8 MB of disk each)
  --minutes N         limit of the trial; cases that have not begun by then fail (20)
  --soak-minutes N    minutes of the soak (60)
  --only NAME,NAME    of the trial only these: ${names.join(' ')}
  --seed N            repeats the random choices of an earlier run
  --help`;
}

/** Returns undefined for `--help`. Throws an error of one line for an option that is wrong. */
export function parseTrialOptions(
  args: readonly string[],
  { names, seed }: { readonly names: readonly string[]; readonly seed: number },
): TrialOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      projects: { type: 'string', default: '300' },
      minutes: { type: 'string', default: '20' },
      'soak-minutes': { type: 'string', default: '60' },
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: String(seed) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    projects: whole('projects', values.projects, [leastProjects, mostProjects]),
    minutes: minutesOf('minutes', values.minutes),
    soakMinutes: minutesOf('soak-minutes', values['soak-minutes']),
    only: namesOf(values.only, names),
    seed: whole('seed', values.seed, [1, mostSeed]),
  };
}

function whole(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
}

function minutesOf(name: string, text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= mostMinutes) return value;
  throw new Error(`--${name} must be a number above 0 and up to ${mostMinutes}, not "${text}"`);
}

function namesOf(text: string, known: readonly string[]): readonly string[] {
  if (text === '') return [];
  const asked = text.split(',').map((name) => name.trim());
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown === undefined) return asked;
  throw new Error(`--only does not know "${unknown}"; there are ${known.join(', ')}`);
}

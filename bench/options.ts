// The command line of `npm run bench`.

import { parseArgs } from 'node:util';
import { AUTH_WORKS, CASE_NAMES, FUNCTION_WORKS, REALTIME_WORKS, STORAGE_WORKS } from './case.js';
import { LEAST_PROJECTS } from './fleet.js';
import { TARGETS } from './rate-book.js';

export interface BenchOptions {
  readonly mode: 'rates' | 'memory' | 'storage' | 'realtime' | 'functions';
  /** Where the JSON goes. */
  readonly out: string;
  readonly rounds: number;
  /** Whole seconds of each measurement. */
  readonly seconds: number;
  /** Projects of the fleet; 0: no fleet. */
  readonly projects: number;
  /** Only series whose `target/work` holds one of these texts, separated by commas; see only.ts. */
  readonly only: string;
  /** How long the mixed load of the memory run lasts. */
  readonly minutes: number;
  /** Connections of the realtime run at once; fewer where the machine allows fewer. */
  readonly sockets: number;
  /** Measures floors, baselines and peer only: what the machine gives. */
  readonly withoutProduct: boolean;
}

/** The names in lines of the width of the text above. */
function wrapped(names: readonly string[]): string {
  const third = Math.ceil(names.length / 3);
  return [names.slice(0, third), names.slice(third, 2 * third), names.slice(2 * third)]
    .map((line) => line.join(' '))
    .join('\n                      ');
}

export const USAGE = `npm run bench -- [options]
  --out FILE          where the figures go as JSON       (data/bench.json; data/bench-memory.json,
                      data/bench-storage.json, data/bench-realtime.json, data/bench-functions.json)
  --rounds N          rounds; each measures everything   (3)
  --seconds N         seconds of one measurement         (2)
  --projects N        projects that are made and touched (200; about 8 MB of disk each;
                      at least ${String(LEAST_PROJECTS)}; 0: none)
  --only TEXT[,TEXT]  only series with a TEXT in target/work, such as product or /embed
                      targets: ${TARGETS.join(' ')}
                      works: hello ${[...CASE_NAMES, ...AUTH_WORKS].join(' ')}
                      auth: what the figures of authentication are made of, and nothing else
  --without-product   floors, baseline and peers only
  --memory            watches the product's memory instead: 10,000 different requests, then mixed load
  --minutes N         minutes of the mixed load          (5)
  --storage           measures files, buckets and images instead, in less than 4 minutes and with about
                      3 GB of disk; takes --rounds, --seconds, --only with the works
                      ${STORAGE_WORKS.join(' ')}
                      needs curl and dd; downloads are held against nginx where it is installed
  --realtime          measures changes, messages and connections instead, in about 12 minutes; takes
                      --rounds, --seconds, --only with the works
                      ${wrapped(REALTIME_WORKS)}
                      connect, join, row-to-all and message-to-all are one; row-insert-crowd needs
                      pgbench
  --sockets N         connections of that run at once    (10000)
  --functions         measures edge functions beside bare Deno instead, in about 2 minutes; takes
                      --rounds, --seconds, --only with the works
                      ${FUNCTION_WORKS.join(' ')}
                      measures nothing where Deno is not installed
  --help
The peers that are not ours are installed into data/bench-peers when they are first asked for.
BENCH_DATABASE_URL: a superuser's connection string of a PostgreSQL server made for this run (the
projects are deleted afterwards, the control-plane database stays); unset: the embedded one.`;

function count(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name} must be a whole number from ${String(least)}, not "${text}"`);
}

const OUT_FILES: Readonly<Record<BenchOptions['mode'], string>> = {
  rates: 'data/bench.json',
  memory: 'data/bench-memory.json',
  storage: 'data/bench-storage.json',
  realtime: 'data/bench-realtime.json',
  functions: 'data/bench-functions.json',
};

const MODES = ['memory', 'storage', 'realtime', 'functions'] as const;

function modeOf(asked: Readonly<Record<(typeof MODES)[number], boolean>>): BenchOptions['mode'] {
  const [mode = 'rates', ...more] = MODES.filter((name) => asked[name]);
  if (more.length === 0) return mode;
  throw new Error(`--${[mode, ...more].join(' and --')} are runs of their own`);
}

/** Undefined when help was asked for; throws on an option it does not know. */
export function parseOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      projects: { type: 'string', default: '200' },
      only: { type: 'string', default: '' },
      memory: { type: 'boolean', default: false },
      storage: { type: 'boolean', default: false },
      realtime: { type: 'boolean', default: false },
      functions: { type: 'boolean', default: false },
      sockets: { type: 'string', default: '10000' },
      minutes: { type: 'string', default: '5' },
      'without-product': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const mode = modeOf(values);
  return {
    mode,
    out: values.out ?? OUT_FILES[mode],
    rounds: count('rounds', values.rounds, 1),
    seconds: count('seconds', values.seconds, 1),
    projects: values.projects === '0' ? 0 : count('projects', values.projects, LEAST_PROJECTS),
    minutes: count('minutes', values.minutes, 1),
    sockets: count('sockets', values.sockets, 1),
    only: values.only,
    withoutProduct: values['without-product'],
  };
}

// The arguments of `rowhouse upgrade`.
import { parseArgs } from 'node:util';
import { CommandError } from './command-error.js';

/** The task of the command. */
export type UpgradeOrder =
  | { readonly kind: 'canary'; readonly ref: string }
  | {
      readonly kind: 'fleet';
      readonly withSnapshots: boolean | undefined;
      readonly throughWave: number | undefined;
      readonly resumes: boolean;
      readonly skips: readonly string[];
    }
  | { readonly kind: 'status' }
  | { readonly kind: 'undo'; readonly ref: string }
  | { readonly kind: 'confirm'; readonly ref: string | undefined };

const options = {
  canary: { type: 'string' },
  undo: { type: 'string' },
  confirm: { type: 'string' },
  wave: { type: 'string' },
  snapshot: { type: 'boolean' },
  'no-snapshot': { type: 'boolean' },
  resume: { type: 'boolean' },
  skip: { type: 'string', multiple: true },
  status: { type: 'boolean' },
} as const;

/** These cannot be given with another option. */
const alone = ['canary', 'undo', 'confirm', 'status'] as const;

/** Returns what the arguments ask for. Throws CommandError with one line about what is wrong. */
export function readUpgradeOrder(args: readonly string[], waves: number): UpgradeOrder {
  const given = read(args);
  const names = Object.keys(given);
  const single = alone.find((name) => given[name] !== undefined);
  if (single !== undefined && names.length > 1) {
    throw new CommandError(`--${single} cannot be given with another option of rowhouse upgrade`);
  }
  if (given.canary !== undefined) return { kind: 'canary', ref: given.canary };
  if (given.undo !== undefined) return { kind: 'undo', ref: given.undo };
  if (given.confirm !== undefined) {
    return { kind: 'confirm', ref: given.confirm === 'all' ? undefined : given.confirm };
  }
  if (given.status === true) return { kind: 'status' };
  if (given.snapshot === true && given['no-snapshot'] === true) {
    throw new CommandError('--snapshot cannot be given with --no-snapshot');
  }
  return {
    kind: 'fleet',
    withSnapshots: given['no-snapshot'] === true ? false : given.snapshot,
    throughWave: readWave(given.wave, waves),
    resumes: given.resume === true,
    skips: given.skip ?? [],
  };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new CommandError(`${whatIsWrong(error)}; see rowhouse --help`, { cause: error });
  }
}

/** The first sentence of the error of `parseArgs`: "Unknown option '--frobnicate'". */
function whatIsWrong(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const [sentence = ''] = text.split(/[.\n]/, 1);
  return sentence || 'The options of rowhouse upgrade are wrong';
}

function readWave(text: string | undefined, waves: number): number | undefined {
  if (text === undefined) return undefined;
  const wave = Number(text);
  if (Number.isInteger(wave) && wave >= 1 && wave <= waves) return wave;
  throw new CommandError(`--wave must be a whole number from 1 to ${waves}, not "${text}"`);
}

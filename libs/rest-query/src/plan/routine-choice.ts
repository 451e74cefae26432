// Chooses the function of a call among the functions of one name, by the names of the arguments alone.
import {
  hasFixedArguments,
  listRoutines,
  nearestName,
  type Argument,
  type Routine,
} from '#libs/catalog';
import { fail, type AppError, type ErrorExtras } from '#libs/errors';
import { shorten } from '../parse/names.js';
import type { CallArguments, CallRequest } from '../types/request.js';
import type { PlanContext } from './context.js';

export interface ChosenRoutine {
  readonly routine: Routine;
  /** `whole`: the only argument takes the whole body. */
  readonly takes: 'names' | 'whole';
}

/**
 * Returns the function for a call: each given name is an argument, and each argument without a default is given; among
 * several, the one with the fewest defaults used. If none fits, a function with one argument without a name takes the
 * whole body. Throws PGRST202 (404) if there is none, PGRST203 (300) if there are several.
 */
export function chooseRoutine({ catalog }: PlanContext, request: CallRequest): ChosenRoutine {
  const overloads = listRoutines(catalog, request.schema, request.function);
  const reachable = overloads.filter(hasFixedArguments);
  const names = namesOf(request.arguments);
  const named = names ? fewestDefaults(reachable.filter((each) => takesNames(each, names))) : [];
  const whole = named.length > 0 ? [] : reachable.filter((each) => takesBody(each, request));
  const found = named.length > 0 ? named : preferUnnamed(whole);
  const [routine, second] = found;
  if (!routine) throw notFound({ request, overloads, reachable, names });
  if (second) throw ambiguous(request, found);
  return { routine, takes: named.length > 0 ? 'names' : 'whole' };

  function notFound(searched: Searched): AppError {
    return routineNotFound(searched, catalog.routines.get(request.schema)?.keys() ?? []);
  }
}

function namesOf(given: CallArguments): ReadonlySet<string> | undefined {
  switch (given.kind) {
    case 'named':
      return new Set(given.values.map(({ name }) => name));
    case 'object':
      return new Set(given.keys);
    case 'single':
      return undefined;
  }
}

function takesNames({ args }: Routine, names: ReadonlySet<string>): boolean {
  const isGiven = ({ name }: Argument): boolean => name !== undefined && names.has(name);
  return (
    args.filter(isGiven).length === names.size &&
    args.every((argument) => argument.hasDefault || isGiven(argument))
  );
}

// The given names are the same for all, so the function with the fewest arguments uses the fewest defaults.
function fewestDefaults(routines: readonly Routine[]): readonly Routine[] {
  const fewest = Math.min(...routines.map(({ args }) => args.length));
  return routines.filter(({ args }) => args.length === fewest);
}

const BODY_KINDS: Readonly<Record<'json' | 'text' | 'bytes', readonly string[]>> = {
  json: ['json', 'jsonb'],
  text: ['text'],
  bytes: ['bytea'],
};

// The body becomes a named argument only if the caller asks for that: otherwise the name is missing in the body.
function takesBody({ args }: Routine, request: CallRequest): boolean {
  const [argument, second] = args;
  const given = request.arguments;
  if (!argument || second || given.kind === 'named') return false;
  if (argument.name !== undefined && !request.preferences.isSingleObject) return false;
  const type = given.kind === 'object' ? 'json' : given.type;
  return BODY_KINDS[type].includes(argument.baseType);
}

function preferUnnamed(routines: readonly Routine[]): readonly Routine[] {
  const unnamed = routines.filter(({ args }) => args[0]?.name === undefined);
  return unnamed.length > 0 ? unnamed : routines;
}

interface Searched {
  readonly request: CallRequest;
  readonly overloads: readonly Routine[];
  readonly reachable: readonly Routine[];
  readonly names: ReadonlySet<string> | undefined;
}

function routineNotFound(searched: Searched, otherNames: Iterable<string>): AppError {
  const { request, names } = searched;
  return fail(
    'PGRST202',
    { function: functionName(request), arguments: describeGiven(names) },
    suggestionOf(searched, otherNames),
  );
}

function suggestionOf(
  { request: { schema, function: name }, overloads, reachable }: Searched,
  otherNames: Iterable<string>,
): Pick<ErrorExtras, 'hint' | 'mentions'> {
  const mentioning = (hint: string, mentioned: string) => {
    return { hint, mentions: [{ kind: 'function', schema, name: mentioned }] as const };
  };
  if (reachable.length > 0) {
    return mentioning(`Perhaps you meant ${reachable.map(signature).join(' or ')}`, name);
  }
  if (overloads.length > 0) {
    const hint =
      'Functions with a VARIADIC argument cannot be called here; give it an array instead';
    return mentioning(hint, name);
  }
  const nearest = nearestName(name, otherNames);
  if (nearest === undefined) return {};
  return mentioning(`Perhaps you meant the function ${schema}.${nearest}`, nearest);
}

function ambiguous(request: CallRequest, found: readonly Routine[]): AppError {
  return fail(
    'PGRST203',
    { function: functionName(request) },
    {
      details: found.map(signature),
      mentions: [{ kind: 'function', schema: request.schema, name: request.function }],
      hint: 'Give the functions other names or names of arguments, so that each call fits one of them',
    },
  );
}

function functionName({ schema, function: name }: CallRequest): string {
  return `${shorten(schema)}.${shorten(name)}`;
}

function describeGiven(names: ReadonlySet<string> | undefined): string {
  if (!names) return 'one argument without a name';
  if (names.size === 0) return 'no arguments';
  return `the arguments ${shorten([...names].join(', '))}`;
}

function signature({ schema, name, args }: Routine): string {
  const list = args.map((argument) => {
    const named = argument.name === undefined ? argument.type : `${argument.name} ${argument.type}`;
    return argument.hasDefault ? `${named} default` : named;
  });
  return `${schema}.${name}(${list.join(', ')})`;
}

import type { Catalog, Routine, RoutineName } from './catalog.js';

const NO_NAMES: ReadonlySet<string> = new Set();

/** The functions of that schema and name, which differ in their arguments; none is an empty list. */
export function listRoutines(catalog: Catalog, schema: string, name: string): readonly Routine[] {
  return catalog.routines.get(schema)?.get(name) ?? [];
}

/** The names that arguments of any function of that schema and name have. */
export function argumentNames(catalog: Catalog, schema: string, name: string): ReadonlySet<string> {
  const routines = listRoutines(catalog, schema, name);
  if (routines.length === 0) return NO_NAMES;
  const names = routines.flatMap(({ args }) => args.map((argument) => argument.name));
  return new Set(names.filter((each) => each !== undefined));
}

/** Whether calls can reach a function: one with a VARIADIC tail never (spec: Database functions). */
export function hasFixedArguments({ args }: Routine): boolean {
  return !args.some(({ isVariadic }) => isVariadic);
}

/**
 * Whether a function with the rights of its owner is on a list of those that are allowed. A name without
 * a schema is one of `public`.
 */
export function isListedRoutine({ schema, name }: RoutineName, list: readonly string[]): boolean {
  return list.includes(`${schema}.${name}`) || (schema === 'public' && list.includes(name));
}

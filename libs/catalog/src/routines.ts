import type { Catalog, Routine, RoutineName } from './catalog.js';

const NO_NAMES: ReadonlySet<string> = new Set();

/** The functions with this schema and name, which differ in their arguments; an empty list if there is none. */
export function listRoutines(catalog: Catalog, schema: string, name: string): readonly Routine[] {
  return catalog.routines.get(schema)?.get(name) ?? [];
}

/** The names of the arguments of all functions with this schema and name. */
export function argumentNames(catalog: Catalog, schema: string, name: string): ReadonlySet<string> {
  const routines = listRoutines(catalog, schema, name);
  if (routines.length === 0) return NO_NAMES;
  const names = routines.flatMap(({ args }) => args.map((argument) => argument.name));
  return new Set(names.filter((each) => each !== undefined));
}

/**
 * Whether calls can reach a function. A call never reaches a function with a VARIADIC argument (spec: Database
 * functions).
 */
export function hasFixedArguments({ args }: Routine): boolean {
  return !args.some(({ isVariadic }) => isVariadic);
}

/** Whether a SECURITY DEFINER function is on the list of allowed functions. A name without a schema is in `public`. */
export function isListedRoutine({ schema, name }: RoutineName, list: readonly string[]): boolean {
  return list.includes(`${schema}.${name}`) || (schema === 'public' && list.includes(name));
}

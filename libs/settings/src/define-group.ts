import type { Field, Fields, ValueOf } from './field.js';

/** The parts of a running project that are remade when a group is saved. */
export type Rebuild = 'auth' | 'http';

/** The resolved values of a group with these fields. */
export type Values<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** A value that is fine on its own and wrong beside another one. */
export interface Conflict {
  readonly field: string;
  readonly reason: string;
}

interface GroupOptions<F extends Fields> {
  readonly title: string;
  readonly help: string;
  readonly rebuilds: readonly Rebuild[];
  readonly fields: F;
  /** The fields without which the group does nothing; asked with the resolved values. */
  readonly required?: (values: Values<F>) => readonly (keyof F & string)[];
  /** The first conflict between fields. Asked with resolved values on every write. */
  readonly conflict?: (values: Values<F>) => Conflict | undefined;
}

export interface Group<N extends string = string, F extends Fields = Fields> {
  readonly name: N;
  readonly title: string;
  readonly help: string;
  readonly rebuilds: readonly Rebuild[];
  readonly fields: F;
  // Methods rather than function properties, so that every group is a Group.
  required(values: Values<F>): readonly string[];
  conflict(values: Values<F>): Conflict | undefined;
}

/** Declares a settings group. Everything else in this library is derived from the declaration. */
export function defineGroup<const N extends string, const F extends Fields>(
  name: N,
  options: GroupOptions<F>,
): Group<N, F> {
  const { title, help, rebuilds, fields } = options;
  return {
    name,
    title,
    help,
    rebuilds,
    fields,
    required: (values) => options.required?.(values) ?? [],
    conflict: (values) => options.conflict?.(values),
  };
}

/** The fields of a group with their names, in the order of the declaration. */
export function fieldsOf(group: Group): readonly (readonly [name: string, field: Field])[] {
  return Object.entries(group.fields);
}

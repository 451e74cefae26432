import type { Capability } from '#libs/wire';
import type { Fields, Values } from './field.js';

export type { Values } from './field.js';

/** The parts of a running project that are remade when a group is saved. */
export type Rebuild = 'auth' | 'http' | 'storage';

/**
 * What an operator needs to read the values of a group and to write them. `secrets.manage` is for a group
 * that holds secrets, decides where codes, links, tokens and files go, or decides how a person or a session is
 * proven: its writer can have a code sent to an address of their own, or make it easy to guess.
 */
export type GroupCapability = Extract<Capability, 'settings.manage' | 'secrets.manage'>;

/** A value that is fine on its own and wrong beside another one. */
export interface Conflict {
  /** The path of the field: `minPasswordLength`, `google.clientId`. */
  readonly field: string;
  readonly reason: string;
}

/** One of several things that a group sets up beside each other, such as a sign-in provider. */
export interface Part {
  readonly name: string;
  readonly enabled: boolean;
  /** The paths, from the group, of the fields that it needs and nobody has set: `google.clientId`. */
  readonly missing: readonly string[];
}

interface GroupOptions<F extends Fields> {
  readonly title: string;
  readonly help: string;
  readonly rebuilds: readonly Rebuild[];
  /** Default: `secrets.manage`; a group that is open to `settings.manage` says so. */
  readonly capability?: GroupCapability;
  readonly fields: F;
  /** The paths of the fields without which the group does nothing; asked with the resolved values. */
  readonly required?: (values: Values<F>) => readonly string[];
  /** What the group holds several of, each ready or not on its own; asked with the resolved values. */
  readonly parts?: (values: Values<F>) => readonly Part[];
  /** The first conflict between fields. Asked with resolved values on every write. */
  readonly conflict?: (values: Values<F>) => Conflict | undefined;
}

export interface Group<N extends string = string, F extends Fields = Fields> {
  readonly name: N;
  readonly title: string;
  readonly help: string;
  readonly rebuilds: readonly Rebuild[];
  readonly capability: GroupCapability;
  readonly fields: F;
  // Methods rather than function properties, so that every group is a Group.
  required(values: Values<F>): readonly string[];
  parts(values: Values<F>): readonly Part[];
  conflict(values: Values<F>): Conflict | undefined;
}

/** Declares a settings group. Everything else in this library is derived from the declaration. */
export function defineGroup<const N extends string, const F extends Fields>(
  name: N,
  options: GroupOptions<F>,
): Group<N, F> {
  const { title, help, rebuilds, capability = 'secrets.manage', fields } = options;
  return {
    name,
    title,
    help,
    rebuilds,
    capability,
    fields,
    required: (values) => options.required?.(values) ?? [],
    parts: (values) => options.parts?.(values) ?? [],
    conflict: (values) => options.conflict?.(values),
  };
}

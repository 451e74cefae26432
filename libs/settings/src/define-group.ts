import type { Capability } from '#libs/wire';
import type { Fields, Values } from './field.js';

export type { Values } from './field.js';

/** The parts of a running project that are rebuilt when a group is saved. */
export type Rebuild = 'auth' | 'http' | 'storage';

/**
 * The capability that an operator needs to read and write a group. `secrets.manage` is for a group that holds secrets,
 * decides where codes, links, tokens and files are sent, or decides how a user or a session is verified: its writer
 * could have a code sent to an address of their own, or make it easy to guess.
 */
export type GroupCapability = Extract<Capability, 'settings.manage' | 'secrets.manage'>;

/** A value that is valid by itself but conflicts with another one. */
export interface Conflict {
  /** The path of the field: `minPasswordLength`, `google.clientId`. */
  readonly field: string;
  readonly reason: string;
}

/** One of several independent parts of a group, such as a sign-in provider. */
export interface Part {
  readonly name: string;
  readonly enabled: boolean;
  /** The paths, from the group, of its required fields without a value: `google.clientId`. */
  readonly missing: readonly string[];
}

/** How messages of a group reach a person. */
export type Delivery = 'mail' | 'sms';

interface GroupOptions<F extends Fields> {
  readonly title: string;
  readonly help: string;
  readonly rebuilds: readonly Rebuild[];
  /** Default: `secrets.manage`; a group that is open to `settings.manage` must say so. */
  readonly capability?: GroupCapability;
  /** Whether the readiness report of a project includes the group: it signs users in or delivers messages. */
  readonly isReported?: true;
  /** Where the providers among its parts send browsers back to, below the project's address; ends with a slash. */
  readonly callbackPath?: string;
  readonly fields: F;
  /** Returns what its messages are sent by; called with the resolved values. */
  readonly sends?: (values: Values<F>) => readonly Delivery[];
  /** Returns the paths of the fields that the group needs to work; called with the resolved values. */
  readonly required?: (values: Values<F>) => readonly string[];
  /** Returns the independent parts of the group, each ready or not; called with the resolved values. */
  readonly parts?: (values: Values<F>) => readonly Part[];
  /** Returns the first conflict between fields; called with the resolved values on every write. */
  readonly conflict?: (values: Values<F>) => Conflict | undefined;
}

export interface Group<N extends string = string, F extends Fields = Fields> {
  readonly name: N;
  readonly title: string;
  readonly help: string;
  readonly rebuilds: readonly Rebuild[];
  readonly capability: GroupCapability;
  readonly isReported: boolean;
  readonly callbackPath: string | undefined;
  readonly fields: F;
  // Methods rather than function properties, so that every group is a Group.
  sends(values: Values<F>): readonly Delivery[];
  required(values: Values<F>): readonly string[];
  parts(values: Values<F>): readonly Part[];
  conflict(values: Values<F>): Conflict | undefined;
}

/** Declares a settings group. The rest of this library works from the declaration. */
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
    isReported: options.isReported === true,
    callbackPath: options.callbackPath,
    fields,
    sends: (values) => options.sends?.(values) ?? [],
    required: (values) => options.required?.(values) ?? [],
    parts: (values) => options.parts?.(values) ?? [],
    conflict: (values) => options.conflict?.(values),
  };
}

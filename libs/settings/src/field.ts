// The kinds of field of a settings group: six leaves, and two that contain fields themselves. A declaration contains
// everything about a field: type, default, limits, label, and the name of its environment fallback.

/** The texts of the console beside an input. */
interface Labelled {
  readonly label: string;
  readonly help?: string;
}

/** What every leaf may declare about itself. */
interface Described extends Labelled {
  /** The environment variable that is used if nothing is stored; never shown to anyone. */
  readonly env?: string;
  /** An earlier name of the field; values stored or sent under it are still read. */
  readonly formerly?: string;
}

/** Formats of texts that are checked for more than their length. */
export type TextFormat =
  | 'url'
  | 'redirect-url'
  | 'email'
  | 'sender'
  | 'host'
  | 'domain'
  | 'id'
  | 'function-name'
  | 'edge-function'
  | 'phone-sender'
  | 'route';

export interface FlagField extends Described {
  readonly kind: 'flag';
  readonly default: boolean;
}

export interface IntegerField extends Described {
  readonly kind: 'integer';
  readonly default: number;
  /** Values outside are moved to the nearer limit. Only where the specification requires it. */
  readonly clamp?: readonly [min: number, max: number];
  /** Values outside are refused. */
  readonly range?: readonly [min: number, max: number];
  /** `s` for seconds; absent for a plain number. */
  readonly unit?: 's';
}

export interface TextField extends Described {
  readonly kind: 'text';
  readonly default?: string;
  readonly format?: TextFormat;
  readonly maxLength: number;
  /** Line breaks and tabs are allowed. */
  readonly multiline?: boolean;
}

/** A text that is stored sealed; readers receive only the sentinel. */
export interface SecretField extends Described {
  readonly kind: 'secret';
  readonly maxLength: number;
}

export interface ChoiceField extends Described {
  readonly kind: 'choice';
  readonly of: readonly [string, ...string[]];
  readonly default: string;
}

export interface ListField extends Described {
  readonly kind: 'list';
  readonly format?: TextFormat;
  /** The only allowed words; absent if every text of the format is allowed. */
  readonly of?: readonly [string, ...string[]];
  readonly default: readonly string[];
  readonly maxItems: number;
  /** The longest allowed entry, in characters. */
  readonly maxLength: number;
}

export interface ObjectField<F extends Fields = Fields> extends Labelled {
  readonly kind: 'object';
  readonly fields: F;
}

export interface EntriesField<
  F extends Fields = Fields,
  K extends string = string,
> extends Labelled {
  readonly kind: 'entries';
  /** The text field that identifies an entry. */
  readonly key: K;
  /** Their `env` is ignored: a variable cannot name an entry. */
  readonly fields: F;
  readonly maxItems: number;
}

export type LeafField =
  FlagField | IntegerField | TextField | SecretField | ChoiceField | ListField;
export type Field = LeafField | ObjectField | EntriesField;
export interface Fields {
  readonly [name: string]: Field;
}

/** The resolved values of these fields. */
export type Values<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** The resolved values of an entry: its key is always present. */
export type EntryValues<F extends Fields, K extends string> = {
  readonly [N in keyof F]: N extends K ? string : ValueOf<F[N]>;
};

/** The type of a field's resolved value; `undefined` if a text or a secret may be absent. */
export type ValueOf<F extends Field> =
  F extends ObjectField<infer N>
    ? Values<N>
    : F extends EntriesField<infer N, infer K>
      ? readonly EntryValues<N, K>[]
      : F extends FlagField
        ? boolean
        : F extends IntegerField
          ? number
          : F extends ListField
            ? readonly WordOf<F>[]
            : F extends ChoiceField
              ? F['of'][number]
              : F extends TextField & { readonly default: string }
                ? string
                : string | undefined;

type WordOf<F extends ListField> = F extends { readonly of: readonly (infer W)[] } ? W : string;

type Options<F extends Field> = Omit<F, 'kind'>;
type TextNames<F extends Fields> = {
  [K in keyof F & string]: F[K] extends TextField ? K : never;
}[keyof F & string];

/** A switch. */
export function flag<const O extends Options<FlagField>>(options: O): O & { kind: 'flag' } {
  return { kind: 'flag', ...options };
}

/** A whole number; a value outside of `range` is refused, then `clamp` moves the value into its limits. */
export function integer<const O extends Options<IntegerField>>(
  options: O,
): O & { kind: 'integer' } {
  return { kind: 'integer', ...options };
}

/** A text of one line, or of several with `multiline`; absent if it has no default and was never set. */
export function text<const O extends Options<TextField>>(options: O): O & { kind: 'text' } {
  return { kind: 'text', ...options };
}

/** A text that is never returned to readers; see `redact` and `applyWrite` for the sentinel. */
export function secret<const O extends Options<SecretField>>(options: O): O & { kind: 'secret' } {
  return { kind: 'secret', ...options };
}

/** One of a fixed set of words. */
export function choice<const O extends Options<ChoiceField>>(options: O): O & { kind: 'choice' } {
  return { kind: 'choice', ...options };
}

/** Several texts of one format; duplicates are dropped. */
export function list<const O extends Options<ListField>>(options: O): O & { kind: 'list' } {
  return { kind: 'list', ...options };
}

/** Fields that belong together; always present, each with its own default. */
export function object<const F extends Fields>(
  options: Labelled & { readonly fields: F },
): ObjectField<F> {
  return { kind: 'object', ...options };
}

/** Several objects of one shape, identified by one of their texts; by default empty. */
export function entries<const F extends Fields, const K extends TextNames<F>>(
  options: Labelled & { readonly key: K; readonly fields: F; readonly maxItems: number },
): EntriesField<F, K> {
  return { kind: 'entries', ...options };
}

/** The fields with their names, in the order of the declaration. */
export function fieldsIn(fields: Fields): readonly (readonly [name: string, field: Field])[] {
  return Object.entries(fields);
}

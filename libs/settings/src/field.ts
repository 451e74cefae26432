// The six kinds of field that a settings group is made of. A declaration carries everything that is
// ever asked about a field: type, default, limits, label, and the name of its environment fallback.

/** What every kind of field may say about itself. */
interface Described {
  /** What the console prints beside the input. */
  readonly label: string;
  readonly help?: string;
  /** The environment variable that stands in when nothing is stored; never shown to anybody. */
  readonly env?: string;
}

/** The texts that are checked for more than their length. */
export type TextFormat = 'url' | 'redirect-url' | 'email' | 'sender' | 'host' | 'domain';

export interface FlagField extends Described {
  readonly kind: 'flag';
  readonly default: boolean;
}

export interface IntegerField extends Described {
  readonly kind: 'integer';
  readonly default: number;
  /** Values outside are moved to the nearer end. */
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
}

/** A text that is stored sealed and read back only as the sentinel. */
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
  readonly default: readonly string[];
  readonly maxItems: number;
  /** The longest allowed entry, in characters. */
  readonly maxLength: number;
}

export type Field = FlagField | IntegerField | TextField | SecretField | ChoiceField | ListField;
export type Fields = Readonly<Record<string, Field>>;

/** The type of a field's resolved value; `undefined` where a text or a secret may be absent. */
export type ValueOf<F extends Field> = F extends FlagField
  ? boolean
  : F extends IntegerField
    ? number
    : F extends ListField
      ? readonly string[]
      : F extends ChoiceField
        ? F['of'][number]
        : F extends TextField & { readonly default: string }
          ? string
          : string | undefined;

type Options<F extends Field> = Omit<F, 'kind'>;

/** A switch. */
export function flag<const O extends Options<FlagField>>(options: O): O & { kind: 'flag' } {
  return { kind: 'flag', ...options };
}

/** A whole number; `clamp` moves a value into its limits, `range` refuses one outside of them. */
export function integer<const O extends Options<IntegerField>>(
  options: O,
): O & { kind: 'integer' } {
  return { kind: 'integer', ...options };
}

/** One line of text, absent when it has no default and nobody set it. */
export function text<const O extends Options<TextField>>(options: O): O & { kind: 'text' } {
  return { kind: 'text', ...options };
}

/** A text that nobody reads back; see `redact` and `applyWrite` for the sentinel. */
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

import { fail } from '#libs/errors';
import type { AppError } from '#libs/errors';
import { isRecord, type JsonRecord } from '#libs/wire';

/** The longest name of an event, a schema, a table or a member, in characters. */
export const maxNameLength = 255;
/** Names of fields that a message quotes are cut to this many characters. */
const maxQuotedLength = 60;

/** The error for a field of a frame; its path is in the message and, for programs, in `details.field`. */
export function invalidFrame(field: string, reason: string): AppError {
  return fail('INVALID_FRAME', { field, reason }, { details: { field } });
}

/** An object of a frame while its fields are read. `path` is empty for the frame itself. */
export class FrameFields {
  readonly #values: JsonRecord;
  readonly #path: string;

  /** Throws INVALID_FRAME if `value` is not an object, or has a field that is not in `known`. */
  constructor(value: unknown, path: string, known: readonly string[]) {
    if (!isRecord(value)) throw invalidFrame(path === '' ? 'frame' : path, 'must be an object');
    this.#values = value;
    this.#path = path;
    const unknown = Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw invalidFrame(this.pathOf(unknown.slice(0, maxQuotedLength)), 'is not a known field');
    }
  }

  /** The path of a field, as errors name it: `config.presence.key`. */
  pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  /** The value as it is; undefined if the field is absent. */
  value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  /** A text of at least one character. Throws INVALID_FRAME. */
  name(name: string, otherwise?: string): string {
    const value = this.value(name) ?? otherwise;
    if (value === undefined) throw invalidFrame(this.pathOf(name), 'is required');
    return checkedText(value, { path: this.pathOf(name), maxLength: maxNameLength });
  }

  /** A text that may be absent, but not empty. Throws INVALID_FRAME. */
  text(name: string, maxLength: number): string | undefined {
    const value = this.value(name);
    return value === undefined
      ? undefined
      : checkedText(value, { path: this.pathOf(name), maxLength });
  }

  /** A boolean; false if absent. Throws INVALID_FRAME. */
  flag(name: string): boolean {
    const value = this.value(name) ?? false;
    if (typeof value !== 'boolean') throw invalidFrame(this.pathOf(name), 'must be true or false');
    return value;
  }

  /** An object of any fields. Throws INVALID_FRAME. */
  object(name: string): JsonRecord {
    const value = this.value(name) ?? {};
    if (!isRecord(value)) throw invalidFrame(this.pathOf(name), 'must be an object');
    return value;
  }

  /** The items of a list; none if the field is absent. Throws INVALID_FRAME. */
  list(name: string): readonly unknown[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value)) throw invalidFrame(this.pathOf(name), 'must be a list');
    return value;
  }

  /** The fields of an object in this one; those of an empty object if it is absent. Throws INVALID_FRAME. */
  fields(name: string, known: readonly string[]): FrameFields {
    return new FrameFields(this.value(name) ?? {}, this.pathOf(name), known);
  }
}

interface TextLimits {
  readonly path: string;
  readonly maxLength: number;
}

const loneSurrogate = /\p{Surrogate}/u;
const control = /\p{Cc}/u;

function checkedText(value: unknown, { path, maxLength }: TextLimits): string {
  if (typeof value !== 'string') throw invalidFrame(path, 'must be a text');
  if (value === '') throw invalidFrame(path, 'must not be empty');
  if (value.length > maxLength) {
    throw invalidFrame(path, `must have at most ${maxLength} characters`);
  }
  if (control.test(value)) throw invalidFrame(path, 'must not contain control characters');
  if (loneSurrogate.test(value)) {
    throw invalidFrame(path, 'must not contain half of a surrogate pair');
  }
  return value;
}

import { stepChars, type Steps } from '#libs/steps';
import { jsonOf, type ValueKind } from './script-values.js';

/** Characters that are converted to bytes at once. */
const chunkChars = 4 * stepChars;
const codeOf = { quote: 0x22, comma: 0x2c, backslash: 0x5c, open: 0x7b, close: 0x7d } as const;

/** Collects the text of an answer. Writers yield when `isDue`. */
export class JsonWriter {
  readonly #chunks: Buffer[] = [];
  #part = '';
  #sinceStep = 0;

  write(text: string): void {
    this.#part += text;
    this.#sinceStep += text.length;
    if (this.#part.length >= chunkChars) this.#flush();
  }

  /** Whether a step's worth was written since the last step. */
  get isDue(): boolean {
    if (this.#sinceStep < stepChars) return false;
    this.#sinceStep = 0;
    return true;
  }

  /** Everything written, as UTF-8. */
  bytes(): Buffer {
    this.#flush();
    return Buffer.concat(this.#chunks);
  }

  #flush(): void {
    this.#chunks.push(Buffer.from(this.#part));
    this.#part = '';
  }
}

/** Writes a value that PostgreSQL sent as `text`, in steps. */
export function* writeValue(writer: JsonWriter, kind: ValueKind, text: string): Steps<void> {
  if (text.length <= stepChars || kind === 'number') return writer.write(jsonOf(kind, text));
  const isText = kind === 'text';
  if (isText) writer.write('"');
  for (let at = 0; at < text.length; yield) {
    const end = cutAt(text, at + stepChars);
    writer.write(partOf(kind, text.slice(at, end)));
    at = end;
  }
  if (isText) writer.write('"');
}

/**
 * Writes an array in PostgreSQL's text form (manual, section 8.15.6), in steps. Bounds such as `[0:1]=` are left out.
 * PostgreSQL quotes every element with a character that is syntax here.
 */
export function* writeArray(writer: JsonWriter, kind: ValueKind, text: string): Steps<void> {
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === codeOf.quote) at = yield* writeQuoted(writer, kind, { text, start: at + 1 });
    else if (code === codeOf.open || code === codeOf.close || code === codeOf.comma) {
      writer.write(code === codeOf.open ? '[' : code === codeOf.close ? ']' : ',');
      at++;
    } else {
      const end = bareEnd(text, at);
      const element = text.slice(at, end);
      if (element === 'NULL') writer.write('null');
      else yield* writeValue(writer, kind, element);
      at = end;
    }
    if (writer.isDue) yield;
  }
}

function bareEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === codeOf.comma || code === codeOf.close) return at;
    at++;
  }
  return at;
}

/** Writes a quoted element without its backslashes and returns the position after the closing quote. */
function* writeQuoted(
  writer: JsonWriter,
  kind: ValueKind,
  { text, start }: { readonly text: string; readonly start: number },
): Steps<number> {
  const isText = kind !== 'json';
  const write = (part: string): void => writer.write(partOf(kind, part));
  let part = '';
  let run = start;
  let at = start;
  if (isText) writer.write('"');
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codeOf.quote) break;
    const isEscape = code === codeOf.backslash;
    if (!isEscape && at - run < stepChars) continue;
    const end = isEscape ? at : cutAt(text, at);
    part += text.slice(run, end);
    run = isEscape ? at + 1 : end;
    if (isEscape) at++;
    if (part.length < stepChars) continue;
    write(part);
    part = '';
    yield;
  }
  write(part + text.slice(run, at));
  if (isText) writer.write('"');
  return at + 1;
}

/** Part of a value: JSON unchanged, or the inside of a JSON string. */
function partOf(kind: ValueKind, part: string): string {
  return kind === 'json' ? part : JSON.stringify(part).slice(1, -1);
}

/** `end`, or the position before it that does not split a character. */
function cutAt(text: string, end: number): number {
  const before = text.charCodeAt(end - 1);
  return before >= 0xd800 && before <= 0xdbff && end < text.length ? end - 1 : end;
}

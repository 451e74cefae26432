import { fail } from '#libs/errors';
import type { AppError } from '#libs/errors';
import { stepChars, type Steps } from '#libs/steps';

/** The rows of a CSV body as JSON, and their keys. */
export interface CsvRows {
  readonly keys: readonly string[];
  /** A JSON array of objects whose values are texts or null. */
  readonly json: string;
}

/** The most columns of a table (PostgreSQL manual, appendix K). */
const MAX_COLUMNS = 1_600;
/** The JSON repeats the names of the columns in each row, so a small body could become huge. */
const MAX_JSON_CHARS = 32 * 1024 * 1024;
/** A step is shorter than for JSON: each character may be a row. */
const csvStepChars = stepChars / 4;

/**
 * Reads CSV (RFC 4180) with a header row. An unquoted empty field and an unquoted NULL are null, as in the output of
 * COPY and of this API. Throws PGRST102.
 */
export function* readCsv(text: string): Steps<CsvRows> {
  const reader = new CsvReader(text.replace(/^\uFEFF/, ''));
  while (!reader.step(csvStepChars)) yield;
  yield;
  return reader.rows();
}

const NULL_WORD = 'NULL';
const COMMA = 0x2c;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The position within a field. `closed`: after the closing quote. */
type Place = 'before' | 'plain' | 'quoted' | 'closed';

class CsvReader {
  readonly #text: string;
  readonly #keys: string[] = [];
  readonly #known = new Set<string>();
  /** For each column the text before its value: `{"a":` or `,"b":`. */
  readonly #prefixes: string[] = [];
  /** Parts of the JSON of the rows: those of this step, and all before them. */
  #parts: string[] = [];
  readonly #pieces: string[] = [];
  #chars = 0;
  #at = 0;
  #place: Place = 'before';
  /** The field read so far, as the inside of a JSON string. */
  #field: string[] = [];
  /** The number of fields read in the row; row 0 is the header. */
  #fields = 0;
  #row = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads about `chars` more characters; true at the end of the text. */
  step(chars: number): boolean {
    const text = this.#text;
    const stop = Math.min(text.length, this.#at + chars);
    while (this.#at < stop) {
      if (this.#place === 'before') this.#begin();
      else if (this.#place === 'closed') this.#separate();
      else if (this.#place === 'plain') this.#readPlain(stop);
      else this.#readQuoted(stop);
    }
    const isEnd = this.#at >= text.length;
    if (isEnd) this.#end();
    this.#pieces.push(this.#parts.join(''));
    this.#parts = [];
    return isEnd;
  }

  rows(): CsvRows {
    if (this.#row === 0) throw fail('PGRST102', { reason: 'it is empty' });
    return { keys: this.#keys, json: `[${this.#pieces.join('')}]` };
  }

  #begin(): void {
    const isQuoted = this.#text.charCodeAt(this.#at) === QUOTE;
    if (isQuoted) this.#at++;
    this.#place = isQuoted ? 'quoted' : 'plain';
  }

  #readPlain(stop: number): void {
    const text = this.#text;
    // The word NULL is never split between two steps.
    const enough = Math.max(stop, Math.min(this.#at + NULL_WORD.length + 1, text.length));
    let at = this.#at;
    while (at < enough) {
      const code = text.charCodeAt(at);
      if (code === COMMA || code === LINE_FEED || code === CARRIAGE_RETURN) break;
      at++;
    }
    const read = text.slice(this.#at, at);
    const isCut = at === enough && at < text.length;
    const isAll = this.#field.length === 0;
    this.#at = at;
    if (isCut) this.#addToField(read);
    else {
      const isNull = isAll && (read === '' || read === NULL_WORD);
      if (!isNull || this.#row === 0) this.#addToField(read);
      this.#endField(isNull);
      this.#place = 'closed';
    }
  }

  #readQuoted(stop: number): void {
    const text = this.#text;
    let at = this.#at;
    let isClosed = false;
    while (at < stop && !isClosed) {
      if (text.charCodeAt(at) !== QUOTE) at++;
      else if (text.charCodeAt(at + 1) === QUOTE) at += 2;
      else isClosed = true;
    }
    this.#addToField(text.slice(this.#at, at).replaceAll('""', '"'));
    this.#at = isClosed ? at + 1 : at;
    if (!isClosed) return;
    this.#endField(false);
    this.#place = 'closed';
  }

  #separate(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code === COMMA) {
      this.#at++;
      this.#place = 'before';
      // A comma at the very end is followed by one more empty field.
      if (this.#at === this.#text.length) this.#endField(true);
      return;
    }
    const isPair = code === CARRIAGE_RETURN && this.#text.charCodeAt(this.#at + 1) === LINE_FEED;
    if (code !== LINE_FEED && !isPair) throw invalid(`row ${this.#row} has a quote out of place`);
    this.#at += isPair ? 2 : 1;
    this.#place = 'before';
    this.#endRow();
  }

  #end(): void {
    if (this.#place === 'quoted') throw invalid('a quote is not closed');
    if (this.#fields > 0) this.#endRow();
  }

  #endField(isNull: boolean): void {
    const inside = this.#field.length === 1 ? (this.#field[0] ?? '') : this.#field.join('');
    this.#field = [];
    if (this.#row === 0) this.#addColumn(inside);
    else {
      const prefix = this.#prefixes[this.#fields];
      if (prefix === undefined) throw this.#wrongLength();
      const value = isNull ? 'null' : `"${inside}"`;
      this.#parts.push(prefix + value);
      // The inside was already counted when it was read.
      this.#count(prefix.length + value.length - inside.length);
    }
    this.#fields++;
  }

  #addColumn(inside: string): void {
    const name = String(JSON.parse(`"${inside}"`));
    if (name === '') throw invalid('a column has no name');
    if (this.#known.has(name)) throw invalid('a column is named twice');
    if (this.#keys.length === MAX_COLUMNS) throw invalid(`it has more than ${MAX_COLUMNS} columns`);
    this.#known.add(name);
    this.#keys.push(name);
    this.#prefixes.push(`${this.#prefixes.length === 0 ? '{' : ','}"${inside}":`);
  }

  #endRow(): void {
    if (this.#row > 0) {
      if (this.#fields !== this.#keys.length) throw this.#wrongLength();
      this.#parts.push('}');
      this.#count(1);
    }
    if (this.#row === 1) this.#prefixes[0] = `,${this.#prefixes[0] ?? ''}`;
    this.#fields = 0;
    this.#row++;
  }

  #addToField(text: string): void {
    const part = escaped(text);
    this.#field.push(part);
    this.#count(part.length);
  }

  #count(chars: number): void {
    this.#chars += chars;
    if (this.#chars > MAX_JSON_CHARS) {
      const limit = `${MAX_JSON_CHARS / 1024 / 1024} MB`;
      throw invalid(`as JSON it is longer than ${limit}; send fewer rows at once`);
    }
  }

  #wrongLength(): AppError {
    return invalid(`row ${this.#row} does not have ${this.#keys.length} fields`);
  }
}

/** A text as it is written between the quotes of a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function invalid(reason: string): AppError {
  return fail('PGRST102', { reason: `it is not CSV: ${reason}` });
}

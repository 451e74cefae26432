// Writes frontend messages of PostgreSQL's extended query protocol (manual, "Message Formats") as bytes: from names,
// texts and parameter values it builds everything written since the last `take`. Bytes are cut from a slab that is never
// written twice, so a socket may keep them. Long values that are bytes already are not copied to the slab.
import type { ParameterValue } from '#libs/wire';

const SLAB_BYTES = 65_536;
/** Up to this many characters a loop over char codes is faster than a call into the runtime. */
const LOOP_CHARACTERS = 48;
/** Above this many characters counting the bytes of a text is cheaper than reserving three for each. */
const LONG_CHARACTERS = 4_096;
/** Bytes of at least this length are sent as they are; copying fewer costs less than another piece. */
const LONG_BYTES = 16_384;
const NULL_VALUE = -1;

const CODE = { parse: 0x50, bind: 0x42, execute: 0x45, close: 0x43, sync: 0x53, statement: 0x53 };

/** Bytes that are not in the slab. */
interface Outside {
  readonly bytes: Buffer;
  /** Where they belong, as a distance from the start. */
  readonly at: number;
}

/** Writes messages one after the other; not shared between connections. */
export class MessageWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #start = 0;
  #end = 0;
  #outside: Outside[] = [];
  #outsideBytes = 0;

  /** Everything written since the last call, in order. */
  take(): readonly Buffer[] {
    const pieces: Buffer[] = [];
    let from = this.#start;
    for (const { bytes, at } of this.#outside) {
      const until = this.#start + at;
      if (until > from) pieces.push(this.#slab.subarray(from, until));
      pieces.push(bytes);
      from = until;
    }
    pieces.push(this.#slab.subarray(from, this.#end));
    this.#start = this.#end;
    if (this.#outside.length > 0) this.#outside = [];
    this.#outsideBytes = 0;
    // One large message does not keep its memory for the life of the connection.
    if (this.#slab.length > SLAB_BYTES) this.#startSlab(SLAB_BYTES);
    return pieces;
  }

  /** Prepares `text` under `name`; the types of the parameters are left to PostgreSQL. */
  parse(name: string, text: string): void {
    const length = this.#begin(CODE.parse, 16 + 3 * (name.length + text.length));
    this.#cString(name);
    this.#cString(text);
    this.#int16(0);
    this.#finish(length);
  }

  /** Binds `values` in text format to a prepared statement and runs it to its end. */
  bindAndExecute(name: string, values: readonly ParameterValue[]): void {
    const outsideBefore = this.#outsideBytes;
    const length = this.#begin(CODE.bind, 32 + 3 * name.length + 4 * values.length);
    this.#slab[this.#end++] = 0;
    this.#cString(name);
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#reserve(24);
    this.#int16(0);
    this.#finish(length, this.#outsideBytes - outsideBefore);
    this.#execute();
  }

  closeStatement(name: string): void {
    const length = this.#begin(CODE.close, 16 + 3 * name.length);
    this.#slab[this.#end++] = CODE.statement;
    this.#cString(name);
    this.#finish(length);
  }

  sync(): void {
    this.#finish(this.#begin(CODE.sync, 8));
  }

  /** The unnamed portal, without a limit of rows. */
  #execute(): void {
    const length = this.#begin(CODE.execute, 16);
    this.#slab[this.#end++] = 0;
    this.#int32(0);
    this.#finish(length);
  }

  /**
   * Writes the code and reserves space for the length; returns the position of the length as a distance from the start.
   */
  #begin(code: number, roomBytes: number): number {
    this.#reserve(roomBytes);
    this.#slab[this.#end] = code;
    this.#end += 5;
    return this.#end - 4 - this.#start;
  }

  #finish(length: number, outsideBytes = 0): void {
    const at = this.#start + length;
    this.#putInt32(at, this.#end - at + outsideBytes);
  }

  #value(value: ParameterValue): void {
    if (typeof value === 'string') this.#textValue(value);
    else if (value) this.#bytesValue(value);
    else {
      this.#reserve(4);
      this.#int32(NULL_VALUE);
    }
  }

  #bytesValue(pieces: readonly Buffer[]): void {
    this.#reserve(4);
    this.#int32(pieces.reduce((sum, { length }) => sum + length, 0));
    for (const bytes of pieces) {
      if (bytes.length < LONG_BYTES) {
        this.#reserve(bytes.length);
        this.#end += bytes.copy(this.#slab, this.#end);
      } else {
        this.#outside.push({ bytes, at: this.#end - this.#start });
        this.#outsideBytes += bytes.length;
      }
    }
  }

  #textValue(value: string): void {
    const isLong = value.length > LONG_CHARACTERS;
    this.#reserve(4 + (isLong ? Buffer.byteLength(value) : 3 * value.length));
    const at = this.#end;
    this.#end += 4;
    this.#text(value);
    this.#putInt32(at, this.#end - at - 4);
  }

  #cString(text: string): void {
    this.#text(text);
    this.#slab[this.#end++] = 0;
  }

  #text(text: string): void {
    if (text.length <= LOOP_CHARACTERS && this.#ascii(text)) return;
    this.#end += this.#slab.write(text, this.#end, 'utf8');
  }

  /** Writes a text of ASCII characters; returns false and writes nothing if it contains others. */
  #ascii(text: string): boolean {
    const slab = this.#slab;
    let at = this.#end;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      slab[at++] = code;
    }
    this.#end = at;
    return true;
  }

  #int16(value: number): void {
    this.#slab[this.#end++] = value >>> 8;
    this.#slab[this.#end++] = value;
  }

  #int32(value: number): void {
    this.#putInt32(this.#end, value);
    this.#end += 4;
  }

  #putInt32(at: number, value: number): void {
    const slab = this.#slab;
    slab[at] = value >>> 24;
    slab[at + 1] = value >>> 16;
    slab[at + 2] = value >>> 8;
    slab[at + 3] = value;
  }

  /** Moves to a new slab if `bytes` more do not fit; pending bytes are moved along. */
  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#slab.length) return;
    const pending = this.#end - this.#start;
    const from = this.#slab;
    const start = this.#start;
    // Twice the pending bytes: otherwise many messages in one write would be copied repeatedly.
    const needed = Math.max(2 * pending, pending + bytes);
    this.#startSlab(needed > SLAB_BYTES ? needed + SLAB_BYTES : SLAB_BYTES);
    from.copy(this.#slab, 0, start, start + pending);
    this.#end = pending;
  }

  #startSlab(bytes: number): void {
    this.#slab = Buffer.allocUnsafeSlow(bytes);
    this.#start = 0;
    this.#end = 0;
  }
}

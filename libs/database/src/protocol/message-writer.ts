// Writes frontend messages of PostgreSQL's extended query protocol (manual, "Message Formats") as bytes: from names,
// texts and parameter values it builds one Buffer with everything written since the last `take`. Bytes are cut from a
// slab that is never written twice, so a socket may keep the Buffer.

const SLAB_BYTES = 65_536;
/** Up to this many characters a loop over char codes is faster than a call into the runtime. */
const LOOP_CHARACTERS = 48;
/** Above this many characters counting the bytes of a text is cheaper than reserving three for each. */
const LONG_CHARACTERS = 4_096;
const NULL_VALUE = -1;

const CODE = { parse: 0x50, bind: 0x42, execute: 0x45, close: 0x43, sync: 0x53, statement: 0x53 };

/** Writes messages one after the other; not shared between connections. */
export class MessageWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #start = 0;
  #end = 0;

  get pendingBytes(): number {
    return this.#end - this.#start;
  }

  /** Everything written since the last call, as one piece. */
  take(): Buffer {
    const bytes = this.#slab.subarray(this.#start, this.#end);
    this.#start = this.#end;
    // One large message does not keep its memory for the life of the connection.
    if (this.#slab.length > SLAB_BYTES) this.#startSlab(SLAB_BYTES);
    return bytes;
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
  bindAndExecute(name: string, values: readonly (string | null)[]): void {
    const length = this.#begin(CODE.bind, 32 + 3 * name.length + 4 * values.length);
    this.#slab[this.#end++] = 0;
    this.#cString(name);
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#reserve(24);
    this.#int16(0);
    this.#finish(length);
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

  #finish(length: number): void {
    const at = this.#start + length;
    this.#putInt32(at, this.#end - at);
  }

  #value(value: string | null): void {
    if (value === null) {
      this.#reserve(4);
      this.#int32(NULL_VALUE);
      return;
    }
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
    const pending = this.pendingBytes;
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

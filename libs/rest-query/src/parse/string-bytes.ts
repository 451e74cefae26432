const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** Shorter runs are read byte by byte: most strings of small rows end within them. */
const SHORT_RUN = 16;
const WORD_BYTES = 4;
/** A byte in each of the four places of a word. */
const LOW_BITS = 0x01010101;
const HIGH_BITS = -0x7f7f7f80;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const SPACES = 0x20202020;

/** Finds the ends of JSON strings. Reads words of four bytes, because a large body consists of strings mostly. */
export class StringBytes {
  readonly #text: Buffer;
  /** How many bytes before the text its first word begins. */
  readonly #shift: number;
  /** The whole words of the text; made for the first long run. */
  #words: Int32Array | undefined;

  constructor(text: Buffer) {
    this.#text = text;
    this.#shift = text.byteOffset % WORD_BYTES;
  }

  /** The position of the first quote, backslash or control character from `start` on; `stop` if there is none. */
  skipPlain(start: number, stop: number): number {
    const aligned = Math.ceil((start + SHORT_RUN + this.#shift) / WORD_BYTES);
    const soon = Math.min(stop, aligned * WORD_BYTES - this.#shift);
    const at = this.#skipBytes(start, soon);
    if (at < soon || soon === stop) return at;
    return this.#skipBytes(this.#skipWords(aligned, stop), stop);
  }

  #skipBytes(start: number, stop: number): number {
    const text = this.#text;
    let at = start;
    while (at < stop) {
      const code = text[at] ?? 0;
      if (code === QUOTE || code === BACKSLASH || code < SPACE) return at;
      at++;
    }
    return at;
  }

  /** The position of the first word from the word `first` on that has a special byte or does not end before `stop`. */
  #skipWords(first: number, stop: number): number {
    const words = (this.#words ??= this.#readWords());
    const end = Math.floor((stop + this.#shift) / WORD_BYTES);
    let at = first;
    while (at < end && !hasSpecial(words[at] ?? 0)) at++;
    return at * WORD_BYTES - this.#shift;
  }

  #readWords(): Int32Array {
    const { buffer, byteOffset, length } = this.#text;
    const count = Math.floor((length + this.#shift) / WORD_BYTES);
    return new Int32Array(buffer, byteOffset - this.#shift, count);
  }
}

/**
 * Whether one of four bytes is a quote, a backslash or a control character. `(x - LOW_BITS) & ~x` has the highest bit of
 * a byte set if and only if a byte of `x` is zero; with SPACES, if one is less than a space.
 */
function hasSpecial(word: number): boolean {
  const quotes = word ^ QUOTES;
  const backslashes = word ^ BACKSLASHES;
  const found =
    ((quotes - LOW_BITS) & ~quotes) |
    ((backslashes - LOW_BITS) & ~backslashes) |
    ((word - SPACES) & ~word);
  return (found & HIGH_BITS) !== 0;
}

/** How many names are kept: far more than rows have as a rule. */
const MAX_NAMES = 1_000;
/** Longer names are decoded each time. */
const MAX_BYTES = 64;

/** A name and the place where it was found first. */
interface KnownName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The names of members of one JSON text. Rows repeat their names, and comparing bytes costs less than decoding them. */
export class KnownNames {
  readonly #text: Buffer;
  readonly #byHash = new Map<number, KnownName>();

  constructor(text: Buffer) {
    this.#text = text;
  }

  /** The name written from `start` to `end`, without escapes. */
  nameAt(start: number, end: number): string {
    const text = this.#text;
    if (end - start > MAX_BYTES) return text.toString('utf8', start, end);
    const hash = this.#hash(start, end);
    const known = this.#byHash.get(hash);
    if (known && this.#isSame(known, start, end)) return known.name;
    const name = text.toString('utf8', start, end);
    if (this.#byHash.size < MAX_NAMES) this.#byHash.set(hash, { name, start, end });
    return name;
  }

  #hash(start: number, end: number): number {
    const text = this.#text;
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (text[at] ?? 0)) | 0;
    return hash;
  }

  #isSame(known: KnownName, start: number, end: number): boolean {
    if (known.end - known.start !== end - start) return false;
    const text = this.#text;
    const distance = start - known.start;
    for (let at = start; at < end; at++) if (text[at] !== text[at - distance]) return false;
    return true;
  }
}

// A cache of short contents: files by their version, images by the name of the variant. Each name identifies its bytes
// forever, so entries never become stale. The right to read them is checked before.

/** Approximate overhead of an entry besides its bytes. */
const entryBytes = 512;

/** Shared by the projects of a process, each of which finds only its own contents. */
export class SmallContents {
  private readonly entries = new Map<string, Buffer>();
  private heldBytes = 0;

  /** The least recently read contents are removed when all would take more than `maxBytes`. */
  constructor(private readonly maxBytes: number) {}

  find(ref: string, name: string): Buffer | undefined {
    const key = keyOf(ref, name);
    const content = this.entries.get(key);
    if (content === undefined) return undefined;
    // A map keeps the order of insertion, so the first entry is the least recently read.
    this.entries.delete(key);
    this.entries.set(key, content);
    return content;
  }

  /** All readers share the cached bytes: do not change them. */
  keep(ref: string, name: string, content: Buffer): void {
    const key = keyOf(ref, name);
    this.forget(key);
    this.entries.set(key, ownMemory(content));
    this.heldBytes += content.length + entryBytes;
    for (const oldest of this.entries.keys()) {
      if (this.heldBytes <= this.maxBytes) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    const content = this.entries.get(key);
    if (content === undefined) return;
    this.entries.delete(key);
    this.heldBytes -= content.length + entryBytes;
  }
}

function keyOf(ref: string, name: string): string {
  return `${ref} ${name}`;
}

/** A short buffer may be a part of a longer one, which would be kept with it. */
function ownMemory(content: Buffer): Buffer {
  if (content.buffer.byteLength === content.length) return content;
  const copy = Buffer.allocUnsafeSlow(content.length);
  content.copy(copy);
  return copy;
}

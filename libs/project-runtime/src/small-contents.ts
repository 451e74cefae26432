// Short contents that were read lately: of files by their version, of images by the name of the variant. Each names
// its bytes for ever, so nothing in here goes out of date; whether somebody may read them is decided before.

/** What an entry takes beside its bytes, roughly. */
const entryBytes = 512;

/** Shared by the projects of a process, each of which finds its own contents alone. */
export class SmallContents {
  private readonly entries = new Map<string, Buffer>();
  private heldBytes = 0;

  /** The contents that were read longest ago go when all would take more than `maxBytes`. */
  constructor(private readonly maxBytes: number) {}

  find(ref: string, name: string): Buffer | undefined {
    const key = keyOf(ref, name);
    const content = this.entries.get(key);
    if (content === undefined) return undefined;
    // A map keeps the order in which its keys came, so that the first one was read longest ago.
    this.entries.delete(key);
    this.entries.set(key, content);
    return content;
  }

  /** What is kept is given to every reader: nobody may change it. */
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

/** A short buffer may be a piece of a longer one, which would stay with it. */
function ownMemory(content: Buffer): Buffer {
  if (content.buffer.byteLength === content.length) return content;
  const copy = Buffer.allocUnsafeSlow(content.length);
  content.copy(copy);
  return copy;
}

import type { FunctionVersion } from '#libs/functions';

/** Characters of code that are kept. */
const maxLength = 32 * 1024 * 1024;

/** The code of versions that were invoked last. A version never changes. */
export class VersionCache {
  readonly #kept = new Map<string, FunctionVersion>();
  #length = 0;

  find(slug: string, version: number): FunctionVersion | undefined {
    const key = `${slug}@${version}`;
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found;
  }

  keep(added: FunctionVersion): void {
    const key = `${added.slug}@${added.version}`;
    if (this.#kept.has(key)) return;
    this.#kept.set(key, added);
    this.#length += lengthOf(added);
    for (const [oldest, version] of this.#kept) {
      if (this.#length <= maxLength || oldest === key) return;
      this.#kept.delete(oldest);
      this.#length -= lengthOf(version);
    }
  }
}

function lengthOf({ files, lock }: FunctionVersion): number {
  return Object.values(files).reduce((sum, text) => sum + text.length, lock?.length ?? 0);
}

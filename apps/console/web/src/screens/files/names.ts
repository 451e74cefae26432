// Keys of files as texts: their parts.

/** The folders above a place, from the outermost: `a/b/` has `a/` and `a/b/`. */
export function foldersOf(
  folder: string,
): readonly { readonly name: string; readonly key: string }[] {
  const names = folder.split('/').filter((name) => name !== '');
  return names.map((name, index) => ({ name, key: `${names.slice(0, index + 1).join('/')}/` }));
}

/** The folder that a key is in: empty, or with a slash at the end. */
export function folderOf(key: string): string {
  const path = key.endsWith('/') ? key.slice(0, -1) : key;
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** A folder as a person types it, as the beginning of keys. */
export function typedFolder(text: string): string {
  const names = text
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? '' : `${names.join('/')}/`;
}

/** Where the files of what is moved go: each keeps its name, and what is in a folder keeps the folder. */
export function movedKey(key: string, from: string, to: string): string {
  return to + key.slice(from.length);
}

/** Whether a bucket is one of the platform, for files that were uploaded without a bucket. */
export function isHidden(slug: string): boolean {
  return slug.startsWith('_');
}

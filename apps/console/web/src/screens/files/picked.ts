// The files that a person drops or chooses, with their places within the folders that were dropped.
import type { PickedFile } from './uploads.js';

/** The files of a choice; those of a folder have its name before theirs. */
export function chosenFiles(list: FileList | null): readonly PickedFile[] {
  return [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files of a drop, also those in folders. Must be called within the event: the browser forgets it after that. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly PickedFile[]> {
  const items = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = items.map(async ({ entry, file }) => {
    if (entry) return filesOf(entry, '');
    return file ? [{ path: file.name, file }] : [];
  });
  return (await Promise.all(found)).flat();
}

async function filesOf(entry: FileSystemEntry, folder: string): Promise<readonly PickedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: folder + entry.name, file }];
  }
  if (!isFolder(entry)) return [];
  const files: PickedFile[] = [];
  for (const child of await childrenOf(entry)) {
    // One after the other: a folder may have very many.
    files.push(...(await filesOf(child, `${folder}${entry.name}/`)));
  }
  return files;
}

/** The browser gives the entries of a folder in parts; an empty one is the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return children;
    children.push(...part);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

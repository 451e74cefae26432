// A deploy as a .zip: its files become those of the body, and the parameters of the URL its other fields.
import { isUtf8 } from 'node:buffer';

import { isRecord } from '#libs/wire';

import { maxBytes, maxFiles, refused } from './function-names.js';
import { listEntries, readEntry, type ZipEntry, ZipProblem } from './zip-entries.js';

/** What systems add to archives. */
const ofSystems = /^__MACOSX\/|(?:^|\/)\.DS_Store$/;
const maxNameLength = 200;

/**
 * Returns the body of a deploy from an archive. Throws INVALID_INPUT for an archive that cannot be read, for an entry that
 * is no text or no plain file in the folder of the function, and for more files or bytes than a deploy may have.
 */
export function readArchive(archive: Buffer, query: unknown): Readonly<Record<string, unknown>> {
  const fields = isRecord(query) ? query : {};
  const { entrypoint, isPublic } = fields;
  return {
    ...fields,
    ...(isFlag(isPublic) && { isPublic: isPublic === 'true' }),
    files: withoutTopFolder(readTexts(archive), entrypoint),
  };
}

const isFlag = (value: unknown): boolean => value === 'true' || value === 'false';

function readTexts(archive: Buffer): ReadonlyMap<string, string> {
  const entries = named('the archive', () => listEntries(archive)).filter(
    ({ name }) => !ofSystems.test(name),
  );
  for (const entry of entries) requirePlain(entry);
  const files = entries.filter(({ kind }) => kind === 'file');
  if (files.length > maxFiles) throw refused('files', `there are more than ${maxFiles}`);
  const declared = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (declared > maxBytes) throw refused('files', `they have more than ${maxBytes} bytes`);
  const texts = new Map<string, string>();
  for (const file of files) {
    const { name } = file;
    if (texts.has(name)) throw refused('files', `${shown(name)} is in the archive twice`);
    const content = named(shown(name), () => readEntry(archive, file));
    if (!isUtf8(content) || content.includes(0))
      throw refused('files', `${shown(name)} is no text`);
    texts.set(name, content.toString('utf8'));
  }
  return texts;
}

/** Before anything is unpacked. */
function requirePlain({ name, kind, isEncrypted }: ZipEntry): void {
  const parts = name.replace(/\/$/, '').split('/');
  const leadsOut =
    name.includes('\\') || parts.some((part) => part === '' || /^\.{1,2}$/.test(part));
  if (leadsOut || parts.includes('__proto__')) throw refused('files', `${shown(name)} is no path`);
  if (kind === 'link') throw refused('files', `${shown(name)} is a symbolic link`);
  if (kind === 'special') throw refused('files', `${shown(name)} is no file`);
  if (isEncrypted) throw refused('files', `${shown(name)} is encrypted`);
}

/** A folder that holds everything is left out, unless the path of the entrypoint begins with it. */
function withoutTopFolder(
  texts: ReadonlyMap<string, string>,
  entrypoint: unknown,
): Readonly<Record<string, string>> {
  const [first = ''] = texts.keys();
  const top = first.slice(0, first.indexOf('/') + 1);
  const isShared = top !== '' && [...texts.keys()].every((name) => name.startsWith(top));
  const isNamed = typeof entrypoint === 'string' && texts.has(entrypoint);
  const cut = isShared && !isNamed ? top.length : 0;
  return Object.fromEntries([...texts].map(([name, text]) => [name.slice(cut), text]));
}

function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZipProblem) throw refused('files', `${name} ${error.message}`);
    throw error;
  }
}

const shown = (name: string): string => name.slice(0, maxNameLength);

// The list of a .zip (APPNOTE.TXT of PKWARE, sections 4.3 and 4.4), and its files one by one. Only the list at the end
// counts: names and sizes in front of the files may be others.
import { crc32, inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  /** As it is written: it may lead anywhere. */
  readonly name: string;
  /** Of the file, as the list declares it. */
  readonly bytes: number;
  readonly kind: 'file' | 'folder' | 'link' | 'special';
  readonly isEncrypted: boolean;
  /** Of compression; {@link readEntry} knows 0 and 8. */
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly offset: number;
}

/** What is wrong with an archive; the message follows its name. */
export class ZipProblem extends Error {}

const endSignature = 0x06054b50;
const endBytes = 22;
const maxCommentBytes = 0xffff;
const listSignature = 0x02014b50;
const listBytes = 46;
const fileSignature = 0x04034b50;
const fileBytes = 30;
/** In its place is the size of the Zip64 format. */
const inZip64 = 0xffffffff;
const stored = 0;
const deflated = 8;
/** The kinds of files of Unix, in the upper half of the attributes. */
const kindMask = 0o170000;
const kinds: Readonly<Record<number, ZipEntry['kind']>> = {
  0: 'file',
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'link',
};

/** Returns the entries of an archive. Throws {@link ZipProblem}. */
export function listEntries(archive: Buffer): readonly ZipEntry[] {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  if (archive.readUInt16LE(end + 8) !== count) throw new ZipProblem('has several parts');
  let at = archive.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  while (entries.length < count) {
    if (!isAt(archive, at, listSignature, listBytes)) throw new ZipProblem('is damaged');
    const nameBytes = archive.readUInt16LE(at + 28);
    const next =
      at + listBytes + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    if (next > end) throw new ZipProblem('is damaged');
    entries.push(entryAt(archive, at, nameBytes));
    at = next;
  }
  return entries;
}

function entryAt(archive: Buffer, at: number, nameBytes: number): ZipEntry {
  const name = archive.toString('utf8', at + listBytes, at + listBytes + nameBytes);
  const [packedBytes, bytes, offset] = [20, 24, 42].map((field) =>
    archive.readUInt32LE(at + field),
  );
  if (packedBytes === undefined || bytes === undefined || offset === undefined) {
    throw new ZipProblem('is damaged');
  }
  if ([packedBytes, bytes, offset].includes(inZip64)) throw new ZipProblem('is a Zip64 archive');
  const mode = (archive.readUInt32LE(at + 38) >>> 16) & kindMask;
  return {
    name,
    bytes,
    kind: name.endsWith('/') && mode === 0 ? 'folder' : (kinds[mode] ?? 'special'),
    isEncrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
    method: archive.readUInt16LE(at + 10),
    crc: archive.readUInt32LE(at + 16),
    packedBytes,
    offset,
  };
}

/**
 * Returns the content of a file that is not encrypted. Never makes more bytes than the list declares. Throws
 * {@link ZipProblem}, also for another size or checksum than declared.
 */
export function readEntry(archive: Buffer, entry: ZipEntry): Buffer {
  const { offset, packedBytes, bytes } = entry;
  if (!isAt(archive, offset, fileSignature, fileBytes)) throw new ZipProblem('is damaged');
  const start =
    offset + fileBytes + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  const packed = archive.subarray(start, start + packedBytes);
  const content = unpack(packed, entry);
  if (packed.length !== packedBytes || content.length !== bytes || crc32(content) !== entry.crc) {
    throw new ZipProblem('is damaged');
  }
  return content;
}

function unpack(packed: Buffer, { method, bytes }: ZipEntry): Buffer {
  if (method === stored) return packed;
  if (method !== deflated) throw new ZipProblem('has a compression that is not supported');
  try {
    // The limit cannot be 0.
    return inflateRawSync(packed, { maxOutputLength: Math.max(bytes, 1) });
  } catch (cause) {
    throw new ZipProblem('is damaged', { cause });
  }
}

/** A comment of any length may follow. */
function findEnd(archive: Buffer): number {
  const last = archive.length - endBytes;
  for (let at = last; at >= Math.max(0, last - maxCommentBytes); at -= 1) {
    if (
      archive.readUInt32LE(at) === endSignature &&
      at + endBytes + archive.readUInt16LE(at + 20) === archive.length
    ) {
      return at;
    }
  }
  throw new ZipProblem('is no .zip');
}

function isAt(archive: Buffer, at: number, signature: number, bytes: number): boolean {
  return at + bytes <= archive.length && archive.readUInt32LE(at) === signature;
}

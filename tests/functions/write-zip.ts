// Archives for tests: of any entries, also wrong ones.
import { crc32, deflateRawSync } from 'node:zlib';

export interface WrittenEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** 8 for deflate (the default), 0 for no compression. */
  readonly method?: number;
  /** The mode of Unix. */
  readonly mode?: number;
  readonly isEncrypted?: boolean;
  /** What the list declares; the length of the content by default. */
  readonly bytes?: number;
  readonly crc?: number;
}

export function writeZip(entries: readonly WrittenEntry[]): Buffer {
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, method = 8, mode = 0, isEncrypted = false } = entry;
    const content = Buffer.from(entry.content ?? '');
    const packed = method === 8 ? deflateRawSync(content) : content;
    const title = Buffer.from(name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(method, 8);
    head.writeUInt16LE(title.length, 26);
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50, 0);
    row.writeUInt16LE(0x0314, 4);
    row.writeUInt16LE(isEncrypted ? 1 : 0, 8);
    row.writeUInt16LE(method, 10);
    row.writeUInt32LE(entry.crc ?? crc32(content), 16);
    row.writeUInt32LE(packed.length, 20);
    row.writeUInt32LE(entry.bytes ?? content.length, 24);
    row.writeUInt16LE(title.length, 28);
    row.writeUInt32LE((mode << 16) >>> 0, 38);
    row.writeUInt32LE(offset, 42);
    files.push(head, title, packed);
    list.push(row, title);
    offset += head.length + title.length + packed.length;
  }
  const table = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, table, end]);
}

/** Of `zipfile` of Python, written to a pipe: sizes follow the files, and a comment follows the list. */
export const foreignZip = Buffer.from(
  [
    'UEsDBBQACAAAAAAAIVwAAAAAAAAAAAAAAAAGAAAAaGVsbG8vUEsHCAAAAAAAAAAAAAAAAFBLAwQUAAgACAAAACFc',
    'AAAAAAAAAAAAAAAADgAAAGhlbGxvL2luZGV4LnRzy8wtyC8qUahWKM8vSlGoVUgrys9VUNfTz8lM0gcJ6ZUUq1tz',
    'uaTm5esVpxaVpWpoaCrY2inkpZYrBKUWF+TnFadqgNRpalpzAQBQSwcI1fb+KUoAAABMAAAAUEsDBBQACAAIAAAA',
    'IVwAAAAAAAAAAAAAAAARAAAAaGVsbG8vbGliL3dvcmQudHNLrSjILypRSM7PKy5RKM8vSlGwVVCvyiwoSE1Rt+YC',
    'AFBLBwiJtu4wIAAAAB4AAABQSwECFAMUAAgAAAAAACFcAAAAAAAAAAAAAAAABgAAAAAAAAAAABAA7UEAAAAAaGVs',
    'bG8vUEsBAhQDFAAIAAgAAAAhXNX2/ilKAAAATAAAAA4AAAAAAAAAAAAAAKSBNAAAAGhlbGxvL2luZGV4LnRzUEsB',
    'AhQDFAAIAAgAAAAhXIm27jAgAAAAHgAAABEAAAAAAAAAAAAAAKSBugAAAGhlbGxvL2xpYi93b3JkLnRzUEsFBgAA',
    'AAADAAMArwAAABkBAAAOAG1hZGUgZWxzZXdoZXJl',
  ].join(''),
  'base64',
);

// Which archives a deploy takes, and what becomes of their files.
import { describe, expect, test } from 'vitest';

import { readArchive } from '../../apps/api/src/functions/read-archive.js';
import { foreignZip, type WrittenEntry, writeZip } from './write-zip.js';

const index = { name: 'index.ts', content: 'export {};' };
const filesOf = (entries: readonly WrittenEntry[], query: object = {}): unknown =>
  readArchive(writeZip(entries), query)['files'];
const named = (...names: readonly string[]) => names.map((name) => ({ ...index, name }));

describe('the files of an archive', () => {
  test.each<{ rule: string; entries: readonly WrittenEntry[]; query?: object; paths: string[] }>([
    {
      rule: 'keep their paths',
      entries: named('index.ts', 'lib/db.ts'),
      paths: ['index.ts', 'lib/db.ts'],
    },
    {
      rule: 'lose a folder that holds them all',
      entries: [{ name: 'app/', mode: 0o040755 }, ...named('app/index.ts', 'app/lib/db.ts')],
      paths: ['index.ts', 'lib/db.ts'],
    },
    {
      rule: 'keep a folder that the entrypoint names',
      entries: named('app/main.ts'),
      query: { entrypoint: 'app/main.ts' },
      paths: ['app/main.ts'],
    },
    {
      rule: 'keep folders whose names only begin alike',
      entries: named('app/index.ts', 'apps/x.ts'),
      paths: ['app/index.ts', 'apps/x.ts'],
    },
    {
      rule: 'are without what systems add',
      entries: named('app/index.ts', '__MACOSX/app/._index.ts', 'app/.DS_Store', '.DS_Store'),
      paths: ['index.ts'],
    },
    { rule: 'may be stored as they are', entries: [{ ...index, method: 0 }], paths: ['index.ts'] },
    { rule: 'may be empty', entries: [{ name: 'index.ts' }], paths: ['index.ts'] },
  ])('$rule', ({ entries, query, paths }) => {
    expect(Object.keys(Object(filesOf(entries, query)))).toEqual(paths);
  });

  test('are those of an archive of another program', () => {
    expect(readArchive(foreignZip, { slug: 'hello', isPublic: 'true' })).toEqual({
      slug: 'hello',
      isPublic: true,
      files: {
        'index.ts': expect.stringContaining('new Response(word)'),
        'lib/word.ts': "export const word = 'zipped';\n",
      },
    });
  });
});

const megabyte = 1024 * 1024;
const zeros = 'x'.repeat(3 * megabyte);

describe('an archive is refused', () => {
  test.each<{ rule: string; entries: readonly WrittenEntry[]; reason: string }>([
    { rule: 'that leads out', entries: named('../x.ts'), reason: '../x.ts is no path' },
    { rule: 'that leads out on the way', entries: named('a/../../x.ts'), reason: 'no path' },
    { rule: 'with an absolute path', entries: named('/etc/x.ts'), reason: 'no path' },
    { rule: 'with a backslash', entries: named('a\\x.ts'), reason: 'no path' },
    { rule: 'with the name of a prototype', entries: named('__proto__'), reason: 'no path' },
    {
      rule: 'with a symbolic link',
      entries: [{ name: 'link', content: '/etc/passwd', mode: 0o120777 }],
      reason: 'link is a symbolic link',
    },
    {
      rule: 'with a link that is named as a folder',
      entries: [{ name: 'link/', mode: 0o120777 }],
      reason: 'symbolic link',
    },
    { rule: 'with a device', entries: [{ name: 'tty', mode: 0o020666 }], reason: 'tty is no file' },
    {
      rule: 'with an encrypted file',
      entries: [{ ...index, isEncrypted: true }],
      reason: 'index.ts is encrypted',
    },
    {
      rule: 'with another compression',
      entries: [{ ...index, method: 12 }],
      reason: 'index.ts has a compression that is not supported',
    },
    {
      rule: 'with a file that is no text',
      entries: [{ name: 'a.png', content: Buffer.from([0x89, 0x50, 0xff]) }],
      reason: 'a.png is no text',
    },
    { rule: 'with a file of zeros', entries: [{ name: 'a', content: '\0' }], reason: 'no text' },
    {
      rule: 'with a file twice',
      entries: [index, index],
      reason: 'index.ts is in the archive twice',
    },
    {
      rule: 'that declares too much',
      entries: [{ ...index, bytes: 6 * megabyte }],
      reason: 'more than 5242880 bytes',
    },
    {
      rule: 'that declares too much in all',
      entries: named('a', 'b').map((entry) => ({ ...entry, content: zeros })),
      reason: 'more than 5242880 bytes',
    },
    {
      rule: 'with more than it declares',
      entries: [{ name: 'a', content: zeros, bytes: 10 }],
      reason: 'a is damaged',
    },
    {
      rule: 'with less than it declares',
      entries: [{ name: 'a', content: 'x', bytes: 10 }],
      reason: 'a is damaged',
    },
    { rule: 'with a wrong checksum', entries: [{ ...index, crc: 1 }], reason: 'is damaged' },
    {
      rule: 'with too many files',
      entries: named(...Array.from({ length: 1001 }, (_, at) => `${at}.ts`)),
      reason: 'more than 1000',
    },
  ])('$rule', ({ entries, reason }) => {
    expect(() => filesOf(entries)).toThrow(reason);
  });

  test('wherever it is cut, and whatever is written over its list', () => {
    for (let length = 0; length < foreignZip.length; length += 1) {
      expect(() => readArchive(foreignZip.subarray(0, length), {})).toThrow(/^files: /);
    }
    const whole = JSON.stringify(readArchive(foreignZip, {}));
    for (let at = 0; at < foreignZip.length; at += 1) {
      const changed = Buffer.from(foreignZip);
      changed[at] = 0xff;
      expect(outcomeOf(changed)).toMatch(/^(?:files: |\{)/);
    }
    expect(whole).toContain('zipped');
  });
});

/** The value, or the message of the refusal. Other errors pass. */
function outcomeOf(archive: Buffer): string {
  try {
    return JSON.stringify(readArchive(archive, {}));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'INVALID_INPUT') {
      return error.message;
    }
    throw error;
  }
}

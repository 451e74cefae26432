import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { describe, expect, test } from 'vitest';

import { isForm, UploadForm } from './upload-form.js';

const type = 'multipart/form-data; boundary=cut';

interface Part {
  readonly header: string;
  readonly text: string;
}

function field(name: string, text: string): Part {
  return { header: `content-disposition: form-data; name="${name}"`, text };
}

function file(text: string, name = 'a.txt'): Part {
  const header = `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain`;
  return { header, text };
}

function formOf(...parts: readonly Part[]): string {
  const written = parts.map(({ header, text }) => `--cut\r\n${header}\r\n\r\n${text}\r\n`);
  return `${written.join('')}--cut--\r\n`;
}

/** Reads the form in chunks of these lengths, the last one to the end. */
async function read(text: string, ...lengths: readonly number[]) {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  const body = Readable.from(
    chunks.filter((chunk) => chunk.length > 0),
    { objectMode: false },
  );
  const form = new UploadForm(body, type);
  const { fileName, mediaType, content } = await form.file();
  const received = await buffer(content);
  await form.end();
  return {
    fileName,
    mediaType,
    content: received.toString(),
    fields: Object.fromEntries(form.fields),
  };
}

const refusedForms = [
  { name: 'no file', form: formOf(field('bucket', 'a')), code: 'MISSING_FIELD', says: 'file' },
  {
    name: 'no parts',
    form: '--cut--\r\n',
    code: 'MISSING_FIELD',
    says: 'file',
  },
  {
    name: 'a file that is text',
    form: formOf(field('file', 'hello')),
    code: 'INVALID_INPUT',
    says: 'file: send it as a file',
  },
  {
    name: 'a second file',
    form: formOf(file('a'), file('b')),
    code: 'INVALID_INPUT',
    says: 'file: send one file',
  },
  {
    name: 'an unknown field',
    form: formOf(field('colour', 'red'), file('a')),
    code: 'UNKNOWN_FIELD',
    says: 'colour',
  },
  {
    name: 'an unknown field behind the file',
    form: formOf(file('a'), field('colour', 'red')),
    code: 'UNKNOWN_FIELD',
    says: 'colour',
  },
  {
    name: 'a field that is a file',
    form: formOf({
      header: 'content-disposition: form-data; name="path"; filename="x"',
      text: 'a',
    }),
    code: 'INVALID_INPUT',
    says: 'path: send it as text',
  },
  {
    name: 'a field twice',
    form: formOf(field('path', 'a'), field('path', 'b'), file('a')),
    code: 'INVALID_INPUT',
    says: 'path: it is given twice',
  },
  {
    name: 'a huge field',
    form: formOf(field('metadata', 'x'.repeat(64 * 1024 + 1)), file('a')),
    code: 'INVALID_INPUT',
    says: 'metadata: it is longer than 65536 bytes',
  },
  {
    name: 'a huge header',
    form: formOf({ header: `${file('').header}\r\nx: ${'y'.repeat(9000)}`, text: 'a' }),
    code: 'MULTIPART_INVALID',
    says: 'header of a part is longer',
  },
  {
    name: 'a part without Content-Disposition',
    form: formOf({ header: 'content-type: text/plain', text: 'a' }, file('a')),
    code: 'MULTIPART_INVALID',
    says: 'Content-Disposition',
  },
  {
    name: 'a part without a name',
    form: formOf({ header: 'content-disposition: form-data', text: 'a' }, file('a')),
    code: 'MULTIPART_INVALID',
    says: 'no name',
  },
  {
    name: 'a part without a header',
    form: `--cut\r\nnothing\r\n${formOf(file('a'))}`,
    code: 'MULTIPART_INVALID',
    says: 'no header',
  },
  {
    name: 'a form that is cut off in the file',
    form: formOf(file('abcdef')).slice(0, -20),
    code: 'MULTIPART_INVALID',
    says: 'before its closing boundary',
  },
  {
    name: 'a form that is cut off in a field',
    form: formOf(file('abcdef'), field('path', 'abcdef')).slice(0, -14),
    code: 'MULTIPART_INVALID',
    says: 'before its closing boundary',
  },
  {
    name: 'a form of another boundary',
    form: formOf(file('a')).replaceAll('--cut', '--tuc'),
    code: 'MULTIPART_INVALID',
    says: 'before its closing boundary',
  },
  {
    name: 'a boundary that does not come',
    form: 'x'.repeat(5000),
    code: 'MULTIPART_INVALID',
    says: 'boundary',
  },
  { name: 'nothing', form: '', code: 'MULTIPART_INVALID', says: 'closing boundary' },
];

describe('a form', () => {
  test('gives the file and all fields, wherever it is cut into chunks', async () => {
    const form = formOf(
      field('bucket', 'größe'),
      file('one\r\n--cu\r\ntwo', 'ä.txt'),
      field('path', 'a/b'),
    );
    const expected = {
      fileName: 'ä.txt',
      mediaType: 'text/plain',
      content: 'one\r\n--cu\r\ntwo',
      fields: { bucket: 'größe', path: 'a/b' },
    };
    const { length } = Buffer.from(form);
    for (let at = 0; at <= length; at += 1) {
      expect({ at, ...(await read(form, at)) }).toEqual({ at, ...expected });
      expect({ at, ...(await read(form, at, 1)) }).toEqual({ at, ...expected });
    }
  });

  test.each([
    { name: 'an empty file', form: formOf(file('')), content: '' },
    { name: 'an empty field', form: formOf(field('path', ''), file('a')), content: 'a' },
    { name: 'text behind the end', form: `${formOf(file('a'))}${'z'.repeat(100)}`, content: 'a' },
    { name: 'a line before the beginning', form: `hello\r\n${formOf(file('a'))}`, content: 'a' },
  ])('may have $name', async ({ form, content }) => {
    const { length } = Buffer.from(form);
    for (let at = 0; at <= length; at += 1) expect((await read(form, at)).content).toBe(content);
  });

  test('gives a large file in full, and waits for its reader', async () => {
    const content = 'abcdefgh'.repeat(1 << 18);
    expect((await read(formOf(file(content), field('path', 'x')), 100)).content).toBe(content);
  });

  test.each(refusedForms)('refuses $name', async ({ form, code, says }) => {
    const reading = read(form, 7, 30);
    await expect(reading).rejects.toMatchObject({ code });
    await expect(reading).rejects.toThrow(says);
  });

  test('refuses a type without a boundary', () => {
    expect(() => new UploadForm(Readable.from([]), 'multipart/form-data')).toThrow('no boundary');
    expect(isForm('multipart/form-data')).toBe(true);
    expect(isForm('multipart/form-database')).toBe(false);
  });
});

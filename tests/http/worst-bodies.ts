// Bodies that are the worst for a server, by their media type.
const repeat = (length: number, make: (at: number) => string) =>
  Array.from({ length }, (_, at) => make(at)).join(',');

/** The worst JSON that fits into `size` bytes. */
export const worst: Readonly<Record<string, (size: number) => string>> = {
  'many unknown keys': (size) => `{${repeat(Math.floor(size / 13), (at) => `"k${at + 1e6}":1`)}}`,
  'many empty objects': (size) => `{"email":[${repeat(Math.floor(size / 3) - 5, () => '{}')}]}`,
  'many paths': (size) =>
    `{"bucket":"docs","paths":[${repeat(Math.floor(size / 5) - 9, () => '"a"')}]}`,
  'deep nesting': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'a long text': (size) => `{"email":"${'a@'.repeat(size / 2 - 10)}"}`,
  'a long text of quotes': (size) => `{"email":"${'\\"'.repeat(size / 2 - 10)}"}`,
  'more than the limit': (size) => `{"email":"${'a'.repeat(size)}"}`,
};

const boundary = 'boundary';
const disposition = (name: string, rest = '') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n`;
const fileHead = disposition('file', '; filename="a.bin"');
const end = `\r\n--${boundary}--\r\n`;
const fill = (size: number, part: string) => part.repeat(Math.floor(size / part.length));

const worstUrlEncoded: typeof worst = {
  'many fields': (size) =>
    repeat(Math.floor(size / 9), (at) => `k${at + 1e5}=`).replaceAll(',', '&'),
  'one field many times': (size) => fill(size, 'a=&'),
  escapes: (size) => `email=${fill(size - 6, '%41')}`,
  'broken escapes': (size) => `email=${fill(size - 6, '%')}`,
  'a long text': (size) => `email=${fill(size - 6, 'a+')}`,
  'a long name': (size) => fill(size, 'a'),
  'more than the limit': (size) => `email=${'a'.repeat(size)}`,
};

const worstMultipart: typeof worst = {
  'many parts': (size) =>
    `${fill(size - 200, `${disposition('metadata')}{}\r\n`)}${fileHead}x${end}`,
  'many empty parts': (size) => fill(size, `--${boundary}\r\n\r\n`),
  'parts behind the file': (size) =>
    `${fileHead}x\r\n${fill(size - 200, `${disposition('other')}\r\n`)}${end}`,
  'beginnings of a boundary': (size) => `${fileHead}${fill(size - 200, '\r\n--boundar')}${end}`,
  'line breaks': (size) => `${fileHead}${fill(size - 200, '\r\n')}${end}`,
  'a long header': (size) => `--${boundary}\r\n${fill(size - 200, 'x-a: b\r\n')}\r\nx${end}`,
  'a header of many parameters': (size) =>
    `${disposition(
      'file',
      repeat(Math.floor(size / 10), (at) => `; p${at + 1e5}=1`),
    )}x${end}`,
  'text before the first boundary': (size) => fill(size, '\r\n-'),
  'a field that is too long': (size) => `${disposition('metadata')}${fill(size - 200, '{')}${end}`,
};

/** One kind of body. */
export interface WorstBody {
  /** What is wrong with it: `form, many fields`. */
  readonly name: string;
  /** Of the header `Content-Type`. */
  readonly type: string;
  /** The worst that fits into `size` bytes. */
  readonly make: (size: number) => string;
}

const bodiesOf = (what: string, type: string, makers: typeof worst): readonly WorstBody[] =>
  Object.entries(makers).map(([name, make]) => ({ name: `${what}, ${name}`, type, make }));

export const worstJsonBodies = bodiesOf('JSON', 'application/json', worst);
export const worstFormBodies = bodiesOf(
  'form',
  'application/x-www-form-urlencoded',
  worstUrlEncoded,
);
export const worstPartBodies = bodiesOf(
  'parts',
  `multipart/form-data; boundary=${boundary}`,
  worstMultipart,
);

// Text that a browser could treat as a document: HTML, SVG and XML, recognised by what precedes the first element. It
// may be UTF-8 or UTF-16, with or without a byte order mark.

const htmlElements = new Set(
  (
    'a abbr address article aside audio b base body br button canvas center code div dl embed footer font form ' +
    'frame frameset h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main marquee math ' +
    'menu meta nav noscript object ol p pre script section select span strong style table tbody td template ' +
    'textarea th title tr u ul video'
  ).split(' '),
);

/** A start tag. The character after the name keeps `<me@example.com>` from matching. */
const startTag = /<([a-z_][\w.-]*)(?::([a-z_][\w.-]*))?(?=[\s/>]|$)/iy;
const doctype = /<!doctype(?=[\s>])\s*([a-z_][\w.-]*)?/iy;

/** One character for each byte; ASCII bytes keep their character. */
const letterByLetter = new TextDecoder('latin1');

/** The kind of document that begins with these bytes: `text/html`, `image/svg+xml`, `application/xml` or undefined. */
export function sniffMarkup(bytes: Uint8Array): string | undefined {
  const text = decode(bytes);
  let at = skipSpace(text, 0);
  let isXml = false;
  let hasComment = false;
  // Each iteration skips what may precede the first element, so the text is read once.
  while (text[at] === '<') {
    if (text.startsWith('<?', at)) {
      isXml ||= /^<\?xml(?:[\s-]|$)/i.test(text.slice(at, at + 6));
      at = after(text, '?>', at);
    } else if (text.startsWith('<!--', at)) {
      hasComment = true;
      at = after(text, '-->', at);
    } else break;
    at = skipSpace(text, at);
  }
  const found = doctypeAt(text, at) ?? elementAt(text, at);
  // In XML the element itself counts, because XML parsers do not guess.
  if (found !== undefined) return found;
  if (isXml) return 'application/xml';
  return hasComment ? 'text/html' : undefined;
}

function doctypeAt(text: string, at: number): string | undefined {
  doctype.lastIndex = at;
  const match = doctype.exec(text);
  if (!match) return undefined;
  const [, name = 'html'] = match;
  if (name.toLowerCase() === 'html') return 'text/html';
  return name.toLowerCase() === 'svg' ? 'image/svg+xml' : 'application/xml';
}

function elementAt(text: string, at: number): string | undefined {
  startTag.lastIndex = at;
  const match = startTag.exec(text);
  if (!match) return undefined;
  const [, first = '', second] = match;
  const name = (second ?? first).toLowerCase();
  if (name === 'svg') return 'image/svg+xml';
  return htmlElements.has(name) ? 'text/html' : 'application/xml';
}

/** The position after the next `end`; the end of the text if there is none. */
function after(text: string, end: string, at: number): number {
  const found = text.indexOf(end, at);
  return found === -1 ? text.length : found + end.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\f\r\ufeff'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Decodes the text as far as the recognition needs it: bytes beyond ASCII may become wrong characters. */
function decode(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return readUtf8(bytes.subarray(3));
  if (first === 0xff && second === 0xfe) return readUtf16(bytes.subarray(2), 'little');
  if (first === 0xfe && second === 0xff) return readUtf16(bytes.subarray(2), 'big');
  if (first !== 0 && second === 0) return readUtf16(bytes, 'little');
  if (first === 0 && second !== 0) return readUtf16(bytes, 'big');
  return readUtf8(bytes);
}

function readUtf8(bytes: Uint8Array): string {
  return letterByLetter.decode(bytes);
}

function readUtf16(bytes: Uint8Array, order: 'little' | 'big'): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const units: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2)
    units.push(view.getUint16(at, order === 'little'));
  return String.fromCharCode(...units);
}

// Requests for a file with ranges and conditions. Where our answer is not that of nginx, the row says to what simpler
// request it is nginx's answer, and which rule decides.

interface Difference {
  /** The request to which nginx answers as we answer to that of the row. */
  readonly as: Readonly<Record<string, string>>;
  readonly rule: string;
}

export interface RangeRequest {
  readonly name: string;
  readonly file: 'fox.bin' | 'empty.bin';
  readonly method: 'GET' | 'HEAD';
  /** `{tag}` and `{date}` stand for what the server says of the file. */
  readonly headers: Readonly<Record<string, string>>;
  readonly differs?: Difference;
}

type Row = readonly [name: string, headers: RangeRequest['headers'], differs?: Difference];

const earlier = 'Sat, 01 Jan 2000 00:00:00 GMT';
const later = 'Fri, 01 Jan 2100 00:00:00 GMT';
const range = { range: 'bytes=10-19' };

/** nginx answers 416. */
const isNoRange: Difference = {
  as: {},
  rule: 'RFC 9110 section 14.2: a Range that is none, or is invalid, may be ignored',
};
/** nginx answers 206 with a body of several parts. */
const isSeveral: Difference = {
  as: {},
  rule: 'RFC 9110 section 14.2: a server may ignore a Range; several parts invite abuse',
};

function rangeRows(size: number): readonly Row[] {
  const of = (text: string) => ({ range: text });
  return [
    ['nothing is asked but the file', {}],
    ['the first byte', of('bytes=0-0')],
    ['bytes in the middle', of('bytes=100-199')],
    ['from a byte to the end', of('bytes=100-')],
    ['all of it as a range', of('bytes=0-')],
    ['all of it with both ends', of(`bytes=0-${size - 1}`)],
    ['the last byte', of('bytes=-1')],
    ['the last hundred bytes', of('bytes=-100')],
    ['more last bytes than there are', of(`bytes=-${size + 1}`)],
    ['the last zero bytes', of('bytes=-0')],
    ['an end behind the last byte', of(`bytes=${size - 5}-${size + 5}`)],
    ['the last byte by its number', of(`bytes=${size - 1}-`)],
    ['a start at the end', of(`bytes=${size}-`)],
    ['a start behind the end', of(`bytes=${size + 10}-${size + 20}`)],
    ['an end before its start', of('bytes=5-2'), isNoRange],
    ['no numbers', of('bytes=-'), isNoRange],
    ['letters', of('bytes=a-b'), isNoRange],
    ['no range at all', of('bytes=')],
    ['another unit', of('items=0-1')],
    ['the unit in capitals', of('BYTES=0-1')],
    ['a space before the range', of('bytes= 0-1')],
    ['a negative start', of('bytes=--1'), isNoRange],
    [
      'a number of thirty digits as end',
      of(`bytes=0-${'9'.repeat(30)}`),
      {
        as: of('bytes=0-'),
        rule: 'RFC 9110 section 14.1.2: an end behind the last byte is the last byte',
      },
    ],
    ['a number of thirty digits as start', of(`bytes=${'9'.repeat(30)}-`)],
    [
      'a comma behind the range',
      of('bytes=0-1,'),
      {
        as: of('bytes=0-1'),
        rule: 'RFC 9110 section 5.6.1: recipients ignore empty elements of a list',
      },
    ],
    ['two ranges', of('bytes=0-1,10-19'), isSeveral],
    ['two ranges that overlap', of('bytes=0-10,5-19'), isSeveral],
    ['two ranges, one behind the end', of(`bytes=0-1,${size}-`), isSeveral],
    ['two ranges behind the end', of(`bytes=${size}-,${size + 5}-`)],
  ];
}

const conditionRows: readonly Row[] = [
  ['If-None-Match with the tag', { 'if-none-match': '{tag}' }],
  ['If-None-Match with the tag as a weak one', { 'if-none-match': 'W/{tag}' }],
  ['If-None-Match with the tag in a list', { 'if-none-match': '"a", {tag}, "b"' }],
  ['If-None-Match with another tag', { 'if-none-match': '"a"' }],
  ['If-None-Match with a star', { 'if-none-match': '*' }],
  ['If-None-Match with the tag, of a range', { 'if-none-match': '{tag}', ...range }],
  ['If-None-Match with another tag, of a range', { 'if-none-match': '"a"', ...range }],
  ['If-Modified-Since the change', { 'if-modified-since': '{date}' }],
  ['If-Modified-Since before the change', { 'if-modified-since': earlier }],
  ['If-Modified-Since after the change', { 'if-modified-since': later }],
  ['If-Modified-Since no date', { 'if-modified-since': 'yesterday' }],
  ['both, and the tag is another', { 'if-none-match': '"a"', 'if-modified-since': '{date}' }],
  [
    'both, and the date is older',
    { 'if-none-match': '{tag}', 'if-modified-since': earlier },
    {
      as: { 'if-none-match': '{tag}' },
      rule: 'RFC 9110 section 13.1.3: If-Modified-Since is ignored beside If-None-Match',
    },
  ],
  ['If-Match with the tag', { 'if-match': '{tag}' }],
  ['If-Match with a star', { 'if-match': '*' }],
  ['If-Match with another tag', { 'if-match': '"a"' }],
  ['If-Match with the tag as a weak one', { 'if-match': 'W/{tag}' }],
  ['If-Match with another tag, of a range', { 'if-match': '"a"', ...range }],
  ['If-Match with another tag goes first', { 'if-match': '"a"', 'if-none-match': '{tag}' }],
  ['If-Unmodified-Since the change', { 'if-unmodified-since': '{date}' }],
  ['If-Unmodified-Since before the change', { 'if-unmodified-since': earlier }],
  ['If-Unmodified-Since after the change', { 'if-unmodified-since': later }],
  ['If-Range with the tag', { 'if-range': '{tag}', ...range }],
  ['If-Range with another tag', { 'if-range': '"a"', ...range }],
  ['If-Range with the tag as a weak one', { 'if-range': 'W/{tag}', ...range }],
  ['If-Range with the date', { 'if-range': '{date}', ...range }],
  ['If-Range with an older date', { 'if-range': earlier, ...range }],
  ['If-Range with a younger date', { 'if-range': later, ...range }],
  ['If-Range without a range', { 'if-range': '{tag}' }],
  [
    'If-Range with another tag, of a range behind the end',
    { 'if-range': '"a"', range: 'bytes=99999-' },
  ],
];

/** The requests for a file of so many bytes, and some for an empty one. */
export function requestsOf(size: number): readonly RangeRequest[] {
  const row =
    (file: RangeRequest['file'], method: RangeRequest['method'], prefix = '') =>
    ([name, headers, differs]: Row): RangeRequest => ({
      name: `${prefix}${name}`,
      file,
      method,
      headers,
      ...(differs && { differs }),
    });
  const headRows: readonly Row[] = [
    ['nothing is asked but the file', {}],
    ['If-None-Match with the tag', { 'if-none-match': '{tag}' }],
    ['If-Match with another tag', { 'if-match': '"a"' }],
  ];
  const emptyRows: readonly Row[] = [
    ['nothing is asked but the file', {}],
    ['all of it as a range', { range: 'bytes=0-' }],
    ['the last byte', { range: 'bytes=-1' }],
    ['a byte', { range: 'bytes=5-9' }],
  ];
  return [
    ...rangeRows(size).map(row('fox.bin', 'GET')),
    ...conditionRows.map(row('fox.bin', 'GET')),
    ...headRows.map(row('fox.bin', 'HEAD', 'HEAD: ')),
    ...emptyRows.map(row('empty.bin', 'GET', 'an empty file: ')),
  ];
}

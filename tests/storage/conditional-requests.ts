/** A request for a file of 43 bytes under conditions; `{tag}` stands for its entity tag. */
export interface ConditionalRead {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  /** Of the answer, between `bytes ` and the size. */
  readonly range?: string;
}

const past = 'Sat, 01 Jan 2000 00:00:00 GMT';
const future = 'Fri, 01 Jan 2100 00:00:00 GMT';

/** RFC 9110 sections 13 and 14 as callers meet them; the rules themselves have tests of their own. */
export const conditionalRequests: readonly ConditionalRead[] = [
  { name: 'first bytes', headers: { range: 'bytes=0-3' }, status: 206, range: '0-3' },
  { name: 'from the middle', headers: { range: 'bytes=40-' }, status: 206, range: '40-42' },
  { name: 'last bytes', headers: { range: 'bytes=-3' }, status: 206, range: '40-42' },
  {
    name: 'more than there are',
    headers: { range: 'bytes=40-99' },
    status: 206,
    range: '40-42',
  },
  { name: 'behind the end', headers: { range: 'bytes=43-' }, status: 416, range: '*' },
  { name: 'several', headers: { range: 'bytes=0-1,3-4' }, status: 200 },
  { name: 'another unit', headers: { range: 'rows=0-1' }, status: 200 },
  { name: 'malformed', headers: { range: 'bytes=3-1' }, status: 200 },
  { name: 'If-Match that matches', headers: { 'if-match': '{tag}' }, status: 200 },
  { name: 'If-Match of another', headers: { 'if-match': '"other"' }, status: 412 },
  { name: 'If-Match weakly', headers: { 'if-match': 'W/{tag}' }, status: 412 },
  { name: 'If-Match any', headers: { 'if-match': '*' }, status: 200 },
  { name: 'If-None-Match that matches', headers: { 'if-none-match': '{tag}' }, status: 304 },
  { name: 'If-None-Match weakly', headers: { 'if-none-match': 'W/{tag}' }, status: 304 },
  { name: 'If-None-Match in a list', headers: { 'if-none-match': '"x", {tag}' }, status: 304 },
  { name: 'If-None-Match of another', headers: { 'if-none-match': '"other"' }, status: 200 },
  { name: 'If-Modified-Since later', headers: { 'if-modified-since': future }, status: 304 },
  { name: 'If-Modified-Since before', headers: { 'if-modified-since': past }, status: 200 },
  {
    name: 'If-Unmodified-Since later',
    headers: { 'if-unmodified-since': future },
    status: 200,
  },
  { name: 'If-Unmodified-Since before', headers: { 'if-unmodified-since': past }, status: 412 },
  {
    name: 'If-None-Match goes before If-Modified-Since',
    headers: { 'if-none-match': '"other"', 'if-modified-since': future },
    status: 200,
  },
  {
    name: 'If-Match goes before If-Unmodified-Since',
    headers: { 'if-match': '{tag}', 'if-unmodified-since': past },
    status: 200,
  },
  {
    name: '304 goes before a range',
    headers: { 'if-none-match': '{tag}', range: 'bytes=0-3' },
    status: 304,
  },
  {
    name: 'If-Range of this version',
    headers: { 'if-range': '{tag}', range: 'bytes=0-3' },
    status: 206,
    range: '0-3',
  },
  {
    name: 'If-Range of another version',
    headers: { 'if-range': '"other"', range: 'bytes=0-3' },
    status: 200,
  },
];

// Conditional requests and ranges: the headers of a request and what is known of the object in, what to answer
// out. RFC 9110 section 13.2.2 gives the order.
import { parseHttpDate } from './http-date.js';
import { resolveRange } from './ranges.js';

/** An entity tag between commas; RFC 9110 section 8.8.3 has the letters. */
const tagForm = /(?:^|,)[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/g;

/** The headers of a request that are looked at, as Node names them. */
export interface ConditionalHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-modified-since'?: string | undefined;
  readonly 'if-unmodified-since'?: string | undefined;
  readonly 'if-range'?: string | undefined;
  readonly range?: string | undefined;
}

/** What there is now at the address of the request. */
export interface CurrentObject {
  /** As it stands in the header, with its quotes. */
  readonly etag: string;
  readonly lastModified: Date;
  /**
   * Whether the object is known to have had one content only within the second of `lastModified`, for instance
   * because it was never replaced. Otherwise parts fetched by that date could belong to two contents.
   */
  readonly isDateStrong: boolean;
  /** In bytes. */
  readonly size: number;
}

/** How to answer. Both ends of a part are included. */
export type ConditionalAnswer =
  | { readonly status: 200 }
  | { readonly status: 206; readonly start: number; readonly end: number }
  | { readonly status: 304 }
  | { readonly status: 412 }
  | { readonly status: 416 };

export interface ConditionalRequest {
  /** In capital letters. Only GET and HEAD, which is answered as GET would be, know 206, 304 and 416. */
  readonly method: string;
  readonly headers: ConditionalHeaders;
}

/**
 * How to answer a request that would otherwise succeed; 200 stands for any success. `current` is undefined where
 * a request that writes finds nothing. Dates that are none are ignored, entity tags that are none match nothing.
 */
export function evaluateConditions(
  { method, headers }: ConditionalRequest,
  current: CurrentObject | undefined,
): ConditionalAnswer {
  const isReading = method === 'GET' || method === 'HEAD';
  if (!meetsPreconditions(headers, current)) return { status: 412 };
  if (headers['if-none-match'] !== undefined) {
    if (hasTag(headers['if-none-match'], current, 'weak')) return { status: isReading ? 304 : 412 };
  } else if (isReading && current && !isModifiedSince(headers['if-modified-since'], current)) {
    return { status: 304 };
  }
  return isReading && current ? evaluateRange(headers, current) : { status: 200 };
}

/** The two conditions of those who want to change or read on what they have seen. */
function meetsPreconditions(
  headers: ConditionalHeaders,
  current: CurrentObject | undefined,
): boolean {
  const { 'if-match': ifMatch, 'if-unmodified-since': ifUnmodifiedSince } = headers;
  if (ifMatch !== undefined) return hasTag(ifMatch, current, 'strong');
  if (ifUnmodifiedSince === undefined || !current) return true;
  const since = parseHttpDate(ifUnmodifiedSince, current.lastModified);
  return since === undefined || secondsOf(current.lastModified) <= since;
}

function isModifiedSince(header: string | undefined, current: CurrentObject): boolean {
  if (header === undefined) return true;
  const since = parseHttpDate(header, current.lastModified);
  return since === undefined || secondsOf(current.lastModified) > since;
}

function evaluateRange(headers: ConditionalHeaders, current: CurrentObject): ConditionalAnswer {
  const { range, 'if-range': ifRange } = headers;
  if (range === undefined) return { status: 200 };
  if (ifRange !== undefined && !isSame(ifRange.trim(), current)) return { status: 200 };
  const asked = resolveRange(range, current.size);
  if (asked.kind === 'whole') return { status: 200 };
  if (asked.kind === 'unsatisfiable') return { status: 416 };
  return { status: 206, start: asked.start, end: asked.end };
}

/** Whether the one tag or date of If-Range names the very bytes that there are now. */
function isSame(validator: string, current: CurrentObject): boolean {
  if (validator.includes('"')) return isStrong(validator) && validator === current.etag;
  return (
    current.isDateStrong &&
    parseHttpDate(validator, current.lastModified) === secondsOf(current.lastModified)
  );
}

/** Whether the list (`*` for any) has the tag of the object, compared as RFC 9110 section 8.8.3.2 says. */
function hasTag(
  list: string,
  current: CurrentObject | undefined,
  comparison: 'strong' | 'weak',
): boolean {
  if (!current) return false;
  if (list.trim() === '*') return true;
  const tags = [...list.matchAll(tagForm)].map(([, tag = '']) => tag);
  return comparison === 'strong'
    ? isStrong(current.etag) && tags.includes(current.etag)
    : tags.some((tag) => opaque(tag) === opaque(current.etag));
}

function isStrong(tag: string): boolean {
  return !tag.startsWith('W/');
}

function opaque(tag: string): string {
  return isStrong(tag) ? tag : tag.slice(2);
}

/** HTTP dates know no parts of a second. */
function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

// Conditional requests and ranges: decides from the headers of a request and the facts about the object how to answer.
// RFC 9110 section 13.2.2 defines the order.
import { parseHttpDate } from './http-date.js';
import { resolveRange } from './ranges.js';

/** An entity tag between commas; RFC 9110 section 8.8.3 has the letters. */
const tagForm = /(?:^|,)[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/g;

/** The request headers that count, with the names that Node gives them. */
export interface ConditionalHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-modified-since'?: string | undefined;
  readonly 'if-unmodified-since'?: string | undefined;
  readonly 'if-range'?: string | undefined;
  readonly range?: string | undefined;
}

/** The current object at the address of the request. */
export interface CurrentObject {
  /** As in the header, with its quotes. */
  readonly etag: string;
  readonly lastModified: Date;
  /**
   * Whether the object certainly had only one content within the second of `lastModified`, for example because it was
   * never replaced. Otherwise parts fetched by that date could belong to two contents.
   */
  readonly isDateStrong: boolean;
  /** In bytes. */
  readonly size: number;
}

/** The answer. Both ends of a range are inclusive. */
export type ConditionalAnswer =
  | { readonly status: 200 }
  | { readonly status: 206; readonly start: number; readonly end: number }
  | { readonly status: 304 }
  | { readonly status: 412 }
  | { readonly status: 416 };

export interface ConditionalRequest {
  /** In upper case. Only GET and HEAD, which is answered like GET, use 206, 304 and 416. */
  readonly method: string;
  readonly headers: ConditionalHeaders;
}

/**
 * Decides how to answer a request that would otherwise succeed; 200 means any success. `current` is undefined if a
 * writing request finds no object. Invalid dates are ignored, invalid entity tags match nothing.
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

/** The two conditions of a client that wants to change or continue reading exactly the version that it has seen. */
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

/** Whether the one tag or date of If-Range names exactly the current bytes. */
function isSame(validator: string, current: CurrentObject): boolean {
  if (validator.includes('"')) return isStrong(validator) && validator === current.etag;
  return (
    current.isDateStrong &&
    parseHttpDate(validator, current.lastModified) === secondsOf(current.lastModified)
  );
}

/** Whether the list (`*` for any) contains the tag of the object, compared by RFC 9110 section 8.8.3.2. */
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

/** HTTP dates have whole seconds only. */
function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

// The headers with which an object is served. Objects share an origin with sessions of the API, so no uploaded content
// may run there: browsers do not guess types, documents are sandboxed, and content that is not known to be harmless is
// saved instead of shown.
import { fail } from '#libs/errors';

import { contentDisposition } from './content-disposition.js';
import { canonicalMediaType } from './media-type.js';

/** Types that browsers display without running anything. */
const SHOWN = new Set([
  'application/ogg',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/webm',
]);

const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/**
 * A browser shows audio and video in a document of its own, which fetches the content once more. The policy allows that
 * and keeps the origin, without which the fetch is refused. Scripts stay forbidden twice.
 */
const mediaPolicy =
  "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox allow-same-origin";
/** Viewers of PDF do not work in a sandbox. They run no script of the file in the page's origin. */
const pdfPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'";

const publicCaching = 'public, max-age=3600';
/** A browser may store a private object, but must check each time whether it may still show it. */
const privateCaching = 'private, max-age=0, must-revalidate';
const cachingForm =
  /^[a-z][a-z-]*(?:=(?:\d{1,10}|[a-z-]+))?(?: ?, ?[a-z][a-z-]*(?:=(?:\d{1,10}|[a-z-]+))?)*$/;

/** The served content: an object, or an image made from an object. */
export interface ServedObject {
  /** Identifies exactly these bytes; becomes the entity tag. Letters, digits, `-`, `_` and `.`. */
  readonly version: string;
  readonly mediaType: string;
  readonly updatedAt: Date;
  /** Whether anyone may read it. */
  readonly isPublic: boolean;
  /** The last segment of its key. */
  readonly fileName: string;
  /** As returned by {@link parseCacheControl}. Used for public objects only. */
  readonly cacheControl?: string | undefined;
  /** Whether the type was chosen by the header Accept. */
  readonly isNegotiated?: boolean | undefined;
}

/**
 * The requested use: `attachment` saves the object, as `fileName` if given; `inline` shows it. That matters for PDF
 * only: content that could run is always saved.
 */
export type AskedDisposition =
  | { readonly kind: 'attachment'; readonly fileName?: string | undefined }
  | { readonly kind: 'inline' };

/** The headers of the object except its length and range; names in lower case. */
export function servedHeaders(
  object: ServedObject,
  asked?: AskedDisposition,
): Readonly<Record<string, string>> {
  const type = canonicalMediaType(object.mediaType);
  const isShown =
    asked?.kind !== 'attachment' &&
    (SHOWN.has(type) || (type === 'application/pdf' && asked?.kind === 'inline'));
  const askedName = asked?.kind === 'attachment' ? asked.fileName : undefined;
  const vary = [
    ...(object.isPublic ? [] : ['Authorization']),
    ...(object.isNegotiated === true ? ['Accept'] : []),
  ];
  return {
    'content-type': object.mediaType,
    'content-disposition': contentDisposition(
      isShown ? 'inline' : 'attachment',
      askedName ?? object.fileName,
    ),
    'x-content-type-options': 'nosniff',
    'content-security-policy': isShown ? policyOfShown(type) : contentPolicy,
    'cross-origin-resource-policy': object.isPublic ? 'cross-origin' : 'same-site',
    'cache-control': object.isPublic ? (object.cacheControl ?? publicCaching) : privateCaching,
    etag: entityTag(object.version),
    'last-modified': object.updatedAt.toUTCString(),
    'accept-ranges': 'bytes',
    ...(vary.length > 0 ? { vary: vary.join(', ') } : {}),
  };
}

function policyOfShown(type: string): string {
  if (type === 'application/pdf') return pdfPolicy;
  return /^(?:audio|video)\/|^application\/ogg$/.test(type) ? mediaPolicy : contentPolicy;
}

/** The headers among them that belong to a 304 answer (RFC 9110 section 15.4.5). */
export function notModifiedHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const kept = new Set(['cache-control', 'etag', 'last-modified', 'vary']);
  return Object.fromEntries(Object.entries(headers).filter(([header]) => kept.has(header)));
}

/** The strong entity tag of a version. */
export function entityTag(version: string): string {
  return `"${version}"`;
}

/**
 * Cache-Control for a public object: directives, or a number of seconds alone, which means
 * `public, max-age=<seconds>`. Throws INVALID_INPUT (400).
 */
export function parseCacheControl(text: string): string {
  const value = text.trim().toLowerCase();
  if (/^\d{1,10}$/.test(value)) return `public, max-age=${value}`;
  if (value.length > 200 || !cachingForm.test(value)) {
    const reason = 'write seconds or directives, such as public, max-age=3600';
    throw fail('INVALID_INPUT', { field: 'cacheControl', reason });
  }
  return value;
}

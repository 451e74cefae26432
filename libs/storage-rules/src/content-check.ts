import { fail } from '#libs/errors';

import { canonicalMediaType, matchesMediaTypes, unknownMediaType } from './media-type.js';
import { recognizedTypes } from './sniff.js';

const xml = /^(?!image\/).+\+xml$|^application\/xml$/;
/** Types that a browser runs or shows by the bytes alone, with other types whose files begin like them. */
const SHOWN: ReadonlyMap<string, RegExp | undefined> = new Map([
  ['text/html', new RegExp(`${xml.source}|^text/(?:x-)?markdown$`)],
  ['image/svg+xml', xml],
  ['application/xml', new RegExp(`${xml.source}|^application/(?:xml-dtd$|vnd\\.|x-)|^model/`)],
  ['application/pdf', /^application\/(?:vnd\.adobe\.)?illustrator$/],
  ['image/png', /^image\/(?:vnd\.mozilla\.)?apng$/],
  ['image/jpeg', /^image\/(?:x-)?(?:mpo|jps)$/],
  ['image/avif', /^image\/avif-sequence$/],
  ...['image/gif', 'image/webp', 'image/bmp', 'image/x-icon', 'image/jxl'].map(
    (type) => [type, undefined] as const,
  ),
]);
/** Containers with several types that begin alike: the first bytes do not always show which one it is. */
const SHARED = [
  /^(?:audio\/mp4|video\/(?:mp4|quicktime))$/,
  /^(?:audio|video|application)\/ogg$/,
  /^video\/(?:webm|x-matroska)$/,
  /^image\/hei[cf]$/,
];
/** No container has these in it. */
const plainText = /^text\/|[/+](?:json|javascript|sql|xml|yaml)$/;

/**
 * Refuses content of a type that is not allowed. No image may be what a browser runs or shows as something else, and
 * one of a format that is recognized must be of that format. If the bucket has a list (`allowed` is not undefined), it
 * must cover the declared type and the type of the first bytes. It need not name the container of a type that it covers
 * (a word processor's file is a ZIP file), and a list that accepts bytes of any kind accepts these, too. Throws
 * CONTENT_MISMATCH (400) or MEDIA_TYPE_NOT_ALLOWED (415).
 */
export function checkContent(
  declared: string,
  sniffed: string | undefined,
  allowed: readonly string[] | undefined,
): void {
  const type = canonicalMediaType(declared);
  const isThat = mayBeContentOf(type, sniffed);
  if (type.startsWith('image/') && !isThat) {
    throw fail('CONTENT_MISMATCH', { declared: type, found: sniffed ?? 'of an unknown type' });
  }
  if (allowed === undefined) return;
  if (!matchesMediaTypes(type, allowed)) throw fail('MEDIA_TYPE_NOT_ALLOWED', { type });
  if (sniffed === undefined || isThat || type === unknownMediaType) return;
  if (!matchesMediaTypes(sniffed, allowed)) throw fail('MEDIA_TYPE_NOT_ALLOWED', { type: sniffed });
}

/** Types without bytes of their own may be unknown bytes, or be in any container. */
function mayBeContentOf(type: string, sniffed: string | undefined): boolean {
  if (type === sniffed) return true;
  if (sniffed === undefined) return !recognizedTypes.has(type);
  if (SHOWN.has(sniffed)) return SHOWN.get(sniffed)?.test(type) === true;
  if (recognizedTypes.has(type)) {
    return SHARED.some((types) => types.test(type) && types.test(sniffed));
  }
  return !plainText.test(type);
}

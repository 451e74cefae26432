import { fail } from '#libs/errors';

import { canonicalMediaType, matchesMediaTypes, unknownMediaType } from './media-type.js';

/** Types whose content begins like that of another type, keyed by the type of the first bytes. */
const BUILT_ON: Readonly<Record<string, RegExp>> = {
  'application/gzip':
    /^application\/(?:x-tgz|x-tar|x-gtar|x-gtar-compressed|x-compressed-tar)$|\+gzip$/,
  'application/ogg': /^(?:audio|video)\/ogg$|^audio\/(?:opus|vorbis|speex)$/,
  'application/xml': /^(?!image\/).+\+xml$|^application\/xml-dtd$/,
  'application/zip':
    /\+zip$|^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-)|vnd\.(?:android\.package-archive|sketch|google-earth\.kmz)$|java-archive$|x-xpinstall$)|^model\/3mf$/,
  'audio/mp4': /^video\/mp4$|^audio\/(?:aac|x-m4[abp])$/,
  'audio/ogg': /^(?:application|video)\/ogg$|^audio\/(?:opus|vorbis|speex|flac)$/,
  'image/heic': /^image\/hei[cf](?:-sequence)?$/,
  'image/heif': /^image\/hei[cf](?:-sequence)?$/,
  'image/png': /^image\/(?:apng|vnd\.mozilla\.apng)$/,
  'image/tiff':
    /^image\/(?:x-(?:adobe-dng|canon-cr2|nikon-nef|sony-arw|pentax-pef|epson-erf)|dng)$/,
  'text/html': /^application\/xhtml\+xml$|^text\/(?:markdown|x-markdown)$/,
  'video/mp4': /^audio\/(?:mp4|aac)$|^video\/(?:quicktime|3gpp2?|x-f4v)$|^audio\/3gpp2?$/,
  'video/ogg': /^(?:application|audio)\/ogg$/,
  'video/quicktime': /^video\/mp4$/,
  'video/webm': /^audio\/webm$|^(?:video|audio)\/x-matroska$/,
  'video/x-matroska': /^audio\/x-matroska$|^(?:video|audio)\/(?:webm|matroska)$/,
};

/**
 * Refuses content of a type that is not allowed. Content that is declared to be an image must be that kind of image, so
 * that neither markup nor anything else passes as one. If the bucket has a list (`allowed` is not undefined), it must
 * cover the declared type and the type of the first bytes. It need not name the container of a type that it covers (a
 * word processor's file is a ZIP file), and a list that accepts bytes of any kind accepts these, too. Throws
 * CONTENT_MISMATCH (400) or MEDIA_TYPE_NOT_ALLOWED (415).
 */
export function checkContent(
  declared: string,
  sniffed: string | undefined,
  allowed: readonly string[] | undefined,
): void {
  const type = canonicalMediaType(declared);
  const isThat = sniffed !== undefined && isContentOf(type, sniffed);
  if (type.startsWith('image/') && !isThat) {
    throw fail('CONTENT_MISMATCH', { declared: type, found: sniffed ?? 'of an unknown type' });
  }
  if (allowed === undefined) return;
  if (!matchesMediaTypes(type, allowed)) throw fail('MEDIA_TYPE_NOT_ALLOWED', { type });
  if (sniffed === undefined || isThat || type === unknownMediaType) return;
  if (!matchesMediaTypes(sniffed, allowed)) throw fail('MEDIA_TYPE_NOT_ALLOWED', { type: sniffed });
}

function isContentOf(type: string, sniffed: string): boolean {
  return type === sniffed || BUILT_ON[sniffed]?.test(type) === true;
}

import { fail } from '#libs/errors';

import { canonicalMediaType, matchesMediaTypes, unknownMediaType } from './media-type.js';

/** Types whose content begins as that of another one, by the type that their first bytes tell. */
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
 * Refuses content that is not what it may be. What is declared an image must be that very image, so that neither
 * markup nor anything else passes as one. Where the bucket has a list (`allowed` is not undefined), it must cover
 * both what is declared and what the first bytes tell; it need not name the container of a type that it covers
 * (a word processor's file is a ZIP file), and where it takes bytes of any kind it takes these.
 * Throws CONTENT_MISMATCH (400) or MEDIA_TYPE_NOT_ALLOWED (415).
 */
export function checkContent(
  declared: string,
  sniffed: string | undefined,
  allowed: readonly string[] | undefined,
): void {
  const type = canonicalMediaType(declared);
  const isThat = sniffed !== undefined && isContentOf(type, sniffed);
  if (type.startsWith('image/') && !isThat) {
    throw fail('CONTENT_MISMATCH', { declared: type, found: sniffed ?? 'no image that is known' });
  }
  if (allowed === undefined) return;
  if (!matchesMediaTypes(type, allowed)) throw fail('MEDIA_TYPE_NOT_ALLOWED', { type });
  if (sniffed === undefined || isThat || type === unknownMediaType) return;
  if (!matchesMediaTypes(sniffed, allowed)) throw fail('MEDIA_TYPE_NOT_ALLOWED', { type: sniffed });
}

function isContentOf(type: string, sniffed: string): boolean {
  return type === sniffed || BUILT_ON[sniffed]?.test(type) === true;
}

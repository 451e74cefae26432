import { fail } from '#libs/errors';

/** More pixels than this, in millions, are not decoded. */
export const maxMegapixels = 50;

/**
 * The public error for one of the library, which tells its errors apart by their text alone. Whatever it says of
 * an image besides is about content that cannot be decoded; a lack of memory is none of the image's.
 */
export function imageError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  const because = { cause: error };
  if (/out of memory|unable to (?:m?alloc|allocate)/i.test(message)) return error;
  if (/exceeds pixel limit/.test(message)) {
    const reason = `it has more than ${maxMegapixels} million pixels`;
    return fail('IMAGE_TOO_LARGE', { reason }, because);
  }
  if (/too large for the \w+ format/.test(message)) {
    const reason = 'the format of the answer takes no such width or height';
    return fail('IMAGE_TOO_LARGE', { reason }, because);
  }
  if (message.startsWith('timeout:')) return fail('IMAGE_TIMEOUT', {}, because);
  if (/unsupported image format/.test(message)) return fail('IMAGE_NOT_SUPPORTED', {}, because);
  return fail('IMAGE_INVALID', { reason: 'it is damaged or incomplete' }, because);
}

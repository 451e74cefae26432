import { fail } from '#libs/errors';

/** Images with more pixels than this, in millions, are not decoded. */
export const maxMegapixels = 50;

/**
 * Returns the public error for an error of the library, whose errors differ only in their text. A lack of memory is not
 * the image's fault; every other text means that the content cannot be decoded.
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
    const reason = 'the output format does not support this width or height';
    return fail('IMAGE_TOO_LARGE', { reason }, because);
  }
  if (message.startsWith('timeout:')) return fail('IMAGE_TIMEOUT', {}, because);
  if (/unsupported image format/.test(message)) return fail('IMAGE_NOT_SUPPORTED', {}, because);
  return fail('IMAGE_INVALID', { reason: 'it is damaged or incomplete' }, because);
}

import { fail } from '#libs/errors';

const slugForm = /^[a-z0-9][a-z0-9_-]{0,62}$/;
/** Words of routes that stand, or may come to stand, where a slug does. */
const reserved = new Set(['buckets', 'files', 'render', 'resumable', 'upload']);

/**
 * The slug of a bucket that a project makes: 1 to 63 small letters, digits, `-` and `_`, beginning with a letter
 * or a digit; a first `_` marks the hidden buckets. Throws INVALID_BUCKET_SLUG (400), which names the reason.
 */
export function parseBucketSlug(text: string): string {
  if (!slugForm.test(text)) {
    throw fail('INVALID_BUCKET_SLUG', {
      reason: 'use 1 to 63 of a-z, 0-9, - and _, beginning with a letter or a digit',
    });
  }
  if (reserved.has(text)) throw fail('INVALID_BUCKET_SLUG', { reason: `${text} is reserved` });
  return text;
}

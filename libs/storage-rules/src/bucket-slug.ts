import { fail } from '#libs/errors';

const slugForm = /^[a-z0-9][a-z0-9_-]{0,62}$/;
/** Words that routes use, or may use later, where a slug can be. */
const reserved = new Set(['buckets', 'files', 'render', 'resumable', 'upload']);

/**
 * Checks the slug of a bucket that a project creates: 1 to 63 lower case letters, digits, `-` and `_`, beginning with a
 * letter or a digit; a leading `_` marks hidden buckets. Throws INVALID_BUCKET_SLUG (400), which names the reason.
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

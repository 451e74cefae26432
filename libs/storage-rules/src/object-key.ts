// The names of objects: checks the text of a request and returns the key as it is stored. Keys never become paths of a
// file system, but they appear in URLs, headers and names of S3 objects, so dangerous characters are refused.
import { fail } from '#libs/errors';

const maxKeyBytes = 1024;
/** Composing shortens a text at most four times: a longer text is too long in any case. */
const maxComposableLength = 4 * maxKeyBytes;
/** C0, DEL, C1, the two line separators, halves of surrogate pairs, and noncharacters. */
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the key of an object in Unicode's composed form (NFC): 1 to 1024 bytes of UTF-8 in segments between slashes.
 * The text is not decoded: `%2e` is three characters. Throws INVALID_OBJECT_KEY (400), which names the reason.
 */
export function parseObjectKey(text: string): string {
  const key = text.length > maxComposableLength ? text : text.normalize('NFC');
  const problem = keyProblem(key);
  if (problem !== undefined) throw fail('INVALID_OBJECT_KEY', { reason: problem });
  return key;
}

/**
 * Returns the common prefix of the keys in a folder: empty for the whole bucket, else ending in a slash, which is added
 * if it is missing, so that `images` does not cover `images2`. Throws INVALID_OBJECT_KEY (400).
 */
export function parseKeyPrefix(text: string): string {
  if (text === '') return '';
  return `${parseObjectKey(text.endsWith('/') ? text.slice(0, -1) : text)}/`;
}

/** Whether the text has the form of a UUID, of any version, in lower or upper case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

function keyProblem(key: string): string | undefined {
  if (key === '') return 'it is empty';
  if (key.length > maxKeyBytes || new TextEncoder().encode(key).length > maxKeyBytes) {
    return `it is longer than ${maxKeyBytes} bytes`;
  }
  if (forbidden.test(key)) return 'it has control characters or characters that do not exist';
  if (key.includes('\\')) return 'it has a backslash';
  if (key.startsWith('/')) return 'it begins with a slash';
  const segments = key.split('/');
  if (segments.includes('')) return 'it has an empty segment';
  if (segments.includes('.') || segments.includes('..')) return 'it has a segment "." or ".."';
  return undefined;
}

// Media types as clients declare them and as buckets list them. Aliases count as the same type in comparisons; the
// declared name is stored and served.
import { fail } from '#libs/errors';

/** The type of content that declares none. */
export const unknownMediaType = 'application/octet-stream';

/** A registered name (RFC 6838 section 4.2): narrower than a token, so that `*` does not match. */
const name = '[a-z0-9][a-z0-9!#$&^_.+-]{0,126}';
const typeForm = new RegExp(`^${name}/${name}$`);
const patternForm = new RegExp(`^(?:\\*/\\*|${name}/(?:\\*|${name}))$`);
/** One parameter with the preceding semicolon; it may be missing (RFC 9110 section 5.6.6). */
const parameterForm =
  /\s*;\s*(?:([!#$%&'*+.^_`|~0-9a-z-]+)=(?:([!#$%&'*+.^_`|~0-9a-z-]+)|"((?:[^"\\]|\\.)*)"))?/iy;
const charsetForm = /^[a-z0-9][a-z0-9_.+-]{0,39}$/;
const maxLength = 512;

const OTHER_NAMES: Readonly<Record<string, string>> = {
  'application/x-gzip': 'application/gzip',
  'application/x-pdf': 'application/pdf',
  'application/x-zip': 'application/zip',
  'application/x-zip-compressed': 'application/zip',
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg3': 'audio/mpeg',
  'audio/vnd.wave': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-mp3': 'audio/mpeg',
  'audio/x-mpeg-3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'image/ico': 'image/x-icon',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/vnd.microsoft.icon': 'image/x-icon',
  'image/x-bmp': 'image/bmp',
  'image/x-ms-bmp': 'image/bmp',
  'image/x-png': 'image/png',
  'image/x-tiff': 'image/tiff',
  'text/xml': 'application/xml',
  'video/x-m4v': 'video/mp4',
};

/**
 * Returns the declared type in lower case, without parameters except the charset of a text: `text/plain;
 * charset=utf-8`. Without a declaration it is `application/octet-stream`. Throws INVALID_MEDIA_TYPE (400), also for
 * patterns.
 */
export function parseMediaType(text: string | undefined): string {
  const declared = text?.trim() ?? '';
  if (declared === '') return unknownMediaType;
  if (declared.length > maxLength)
    throw invalid(declared, `it is longer than ${maxLength} letters`);
  const end = declared.indexOf(';');
  const type = (end === -1 ? declared : declared.slice(0, end)).trim().toLowerCase();
  if (!typeForm.test(type)) throw invalid(declared, 'write type/subtype');
  const charset = end === -1 ? undefined : charsetOf(declared, end);
  return charset !== undefined && type.startsWith('text/') ? `${type}; charset=${charset}` : type;
}

/**
 * Returns an entry of a bucket's list of types in lower case: a type without parameters, `image/*`, or a star for both
 * parts. Throws INVALID_MEDIA_TYPE (400).
 */
export function parseMediaTypePattern(text: string): string {
  const pattern = text.trim().toLowerCase();
  if (!patternForm.test(pattern)) throw invalid(text, 'write type/subtype or type/*');
  return pattern;
}

/** Whether a pattern of the list covers the type. Parameters do not count; an empty list covers nothing. */
export function matchesMediaTypes(type: string, allowed: readonly string[]): boolean {
  const wanted = canonicalMediaType(type);
  return allowed.some((pattern) => {
    const covered = canonicalMediaType(pattern);
    if (covered === '*/*' || covered === wanted) return true;
    return covered.endsWith('/*') && wanted.startsWith(covered.slice(0, -1));
  });
}

/** The name under which types are compared: without parameters, and the same for all aliases. */
export function canonicalMediaType(type: string): string {
  const [plain = ''] = type.split(';');
  const lower = plain.trim().toLowerCase();
  return Object.hasOwn(OTHER_NAMES, lower) ? (OTHER_NAMES[lower] ?? lower) : lower;
}

/** The first charset among the parameters, which begin at `from`. */
function charsetOf(declared: string, from: number): string | undefined {
  let charset: string | undefined;
  let at = from;
  while (at < declared.length) {
    parameterForm.lastIndex = at;
    const match = parameterForm.exec(declared);
    if (!match) throw invalid(declared, 'write parameters as name=value');
    at = parameterForm.lastIndex;
    const [, parameterName, token, quoted] = match;
    if (parameterName?.toLowerCase() === 'charset') {
      charset ??= (token ?? quoted ?? '').replace(/\\(.)/g, '$1').toLowerCase();
    }
  }
  if (charset !== undefined && !charsetForm.test(charset)) {
    throw invalid(declared, 'unknown charset');
  }
  return charset;
}

function invalid(text: string, reason: string) {
  return fail('INVALID_MEDIA_TYPE', { text: JSON.stringify(text.slice(0, 100)), reason });
}

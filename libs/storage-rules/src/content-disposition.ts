const maxLetters = 200;
const maxExtensionLetters = 20;
/** Characters that change the direction of writing: with them `gpj.exe` is displayed as `exe.jpg`. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}/\\]/gu;

/**
 * Returns the header Content-Disposition (RFC 6266) for any text as file name. Characters that a name must not contain
 * are removed (control characters, slashes, changes of direction), and a long name is cut to 200 letters, keeping its
 * extension. Names beyond plain ASCII are sent as `filename*` (RFC 8187) with a plain name for old clients.
 */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const name = cleanName(fileName);
  const plain = plainName(name);
  const fallback = `${kind}; filename="${plain}"`;
  return plain === name ? fallback : `${fallback}; filename*=UTF-8''${percentEncode(name)}`;
}

function cleanName(fileName: string): string {
  const name = shorten(fileName.replace(bidiControls, '').replace(unfit, '_')).trim();
  return /^\.*$/.test(name) ? 'download' : name;
}

function shorten(name: string): string {
  // No name needs more, and splitting a text of megabytes into letters takes long.
  const letters = [...(name.length > 4 * maxLetters ? ends(name) : name)];
  if (letters.length <= maxLetters) return letters.join('');
  const dot = letters.lastIndexOf('.');
  const extension =
    letters.length - dot <= maxExtensionLetters && dot > 0 ? letters.slice(dot) : [];
  return [...letters.slice(0, maxLetters - extension.length), ...extension].join('');
}

/** The name without its middle; half of a surrogate pair at a cut becomes a plain character. */
function ends(name: string): string {
  return `${name.slice(0, 2 * maxLetters)}${name.slice(-2 * maxLetters)}`.replace(/\p{Cs}/gu, '_');
}

/**
 * Letters lose their accents, and other non-ASCII letters become `_`. `%` is replaced, too, because some browsers
 * decode it here.
 */
function plainName(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/[^ -~]/gu, '_')
    .replace(/["%]/g, '_');
  return /^[._]*$/.test(plain) ? 'download' : plain;
}

/** RFC 8187 allows fewer letters than URLs do. */
function percentEncode(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

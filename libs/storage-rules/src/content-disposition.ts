const maxLetters = 200;
const maxExtensionLetters = 20;
/** Marks that turn the direction of writing: with them `gpj.exe` reads `exe.jpg`. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}/\\]/gu;

/**
 * The header Content-Disposition (RFC 6266) for any text as file name. The name loses what has no place in one
 * (control characters, slashes, changes of direction), at most 200 letters of it are kept, and its extension.
 * Names beyond plain ASCII come as `filename*` (RFC 8187) with a plain one for old clients.
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
  // More than this cannot be needed, and splitting a text of megabytes into letters takes long.
  const letters = [...(name.length > 4 * maxLetters ? ends(name) : name)];
  if (letters.length <= maxLetters) return letters.join('');
  const dot = letters.lastIndexOf('.');
  const extension =
    letters.length - dot <= maxExtensionLetters && dot > 0 ? letters.slice(dot) : [];
  return [...letters.slice(0, maxLetters - extension.length), ...extension].join('');
}

/** The name without its middle; half a pair of surrogates at a cut becomes a plain sign. */
function ends(name: string): string {
  return `${name.slice(0, 2 * maxLetters)}${name.slice(-2 * maxLetters)}`.replace(/\p{Cs}/gu, '_');
}

/** Letters lose their accents and other ones become `_`. `%` goes too, because some browsers decode it here. */
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

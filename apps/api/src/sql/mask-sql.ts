// The text of a script as the audit log keeps it: its beginning, without what looks like a secret.

const maxBytes = 4096;
/** Characters of a script that are searched: a secret may begin in what is kept and end behind it. */
const searchedLength = 6 * 1024;
const masked = '[masked]';

// A literal in any of the ways to write one: plain, within a literal (its quotes doubled), in dollar quotes.
// The numbers count from the group before it in `named`.
const literal = String.raw`(?:'(?:[^']|'')+'(?!')|('{2,8}(?!'))[\s\S]*?\2|\$(\w*)\$[\s\S]*?\$\3\$)`;

/** `password 'x'`, `secret => 'x'`, `"token": "x"`: a value behind the name of a secret. */
const named = new RegExp(
  String.raw`((?:password|passwd|passphrase|secret|token|api_?key|private_?key|credentials?)["']?\s*(?:(?:=>|:=|=|:|,)\s*)?(?:e|u&)?)${literal}`,
  'gi',
);
const namedInJson =
  /("\w*(?:password|secret|token|api_?key|private_?key)\w*"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

/** Texts that are secrets wherever they stand. */
const known = [
  /SCRAM-SHA-256\$\d+:[\w+/=]+\$[\w+/=]+:[\w+/=]+/g,
  /\bmd5[0-9a-f]{32}\b/gi,
  /\$(?:argon2\w*|2[aby]|scrypt)\$[\w$=,./+-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /\b(?:rh|sk|pk|rk|whsec|ghp|gho|xox[abp]|uak)_[\w+/=-]{8,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
];
const bearer = /\b(bearer|basic)(\s+)[\w.~+/=-]{8,}/gi;
const userinfo = /(:\/\/[^\s:/@']+:)[^\s@']+(@)/g;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A literal of many letters and digits without a space: a key rather than a word. */
const keyLike = /'([\w+/=.-]{24,})'/g;

/** The first 4 KB of a script with passwords, tokens, keys and password verifiers masked. */
export function maskSql(query: string): string {
  let text = query.slice(0, searchedLength);
  for (const pattern of known) text = text.replace(pattern, masked);
  text = text
    .replace(named, `$1'${masked}'`)
    .replace(namedInJson, `$1"${masked}"`)
    .replace(bearer, `$1$2${masked}`)
    .replace(userinfo, `$1${masked}$2`)
    .replace(keyLike, (found, word: string) => (isKey(word) ? `'${masked}'` : found));
  return cut(text);
}

function isKey(word: string): boolean {
  return /\d/.test(word) && /[a-z]/i.test(word) && !uuid.test(word);
}

/** Cut at 4 KB without half a character at the end. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\uFFFD+$/, '')} …`;
}

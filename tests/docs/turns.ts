// Words of a dialect that only its authors read at first sight, with what to write instead.
export const turns: readonly (readonly [RegExp, string])[] = [
  [/\b[Ww]hoever\b/, 'the caller, the client, the operator'],
  // In quotes it is the system user of that name.
  [/(?<!["'`])\b[Nn]obody\b(?!["'`])/, 'no request, no other transaction'],
  [/\b[Ss]omebody\b/, 'a user, another request'],
  [/\b(told|[Tt]ells?)\b/, 'returns, reports, informs'],
  [/\banew\b/, 'again'],
  [/\bof now\b/, 'current'],
  [/\bin small letters\b/, 'in lower case'],
  [/\b[Ww]hat of\b/, 'the fields that'],
  [/\bstands? for\b/, 'is, means, replaces'],
  [/\b(for so|[Ss]o) long\b(?! as)/, 'how long'],
  [/\bha(s|ve) no such\b/, 'does not have this'],
  [/\bmay not do\b/, 'is not allowed to'],
  [/[Nn]eighbour/, 'neighbor'],
];

/** Turns that are ordinary words in some sentences of documents; the sources do without them. */
export const sourceTurns: typeof turns = [
  ...turns,
  [/(?<!\b([Tt]he|[Ee]ach|[Ee]very|[Oo]nly) )\b[Oo]ne that\b/, 'the noun again'],
  [/\b(is|are) asked\b(?! (for|to)\b)/, 'is checked, is called, is queried'],
  [/\b[Tt]here is no such\b/, 'does not exist, not found'],
  [/\b[Ss]tands?\b(?! ?(-|alone|in for|out|up)\b)/, 'is'],
  [/\b[Ss]o (many|much)\b(?!.*\b(as|that)\b)/, 'this many, the number'],
  [/\bparted\b/, 'separated'],
  [/\b[Hh]ea(rs?|rd)\b/, 'listener, is called with, receives'],
  [/\b[Jj]udge[sd]?\b/, 'check, decide'],
  [/\b[Nn]udge[sd]?\b/, 'schedule'],
  [/\b[Ll]inger(s|ed)?\b/, 'wait'],
];

/**
 * The bytes of a file in a store are an object. `Blob` is a class of browsers, which the client and its pages take;
 * `'blob'` a scheme of URLs and a key of stored rows.
 */
export const blob =
  /(?<!['`{.-])\b(blobs?\b(?!:)|blobs?[A-Z]|Blobs\b|Blobs?[A-Z])|(?<!\b(?:openAs|to))(?<=[a-z])Blob/;

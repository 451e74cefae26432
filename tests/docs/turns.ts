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
];

// The text of a script as the audit log keeps it: its beginning, without what looks like a secret.
import type { SqlScript } from '#libs/database';
import { type SqlToken, sqlTokens } from '#libs/sql-text';
import { stepChars, type Steps } from '#libs/steps';

const maxBytes = 4096;
/** Characters that are searched for secrets of a known form: one may begin in what is kept and end behind it. */
const searchedLength = 6 * 1024;
const masked = '[masked]';

/** Every name that says "the value is a secret"; the hint of a password is public. */
const secretName = new RegExp(
  [
    String.raw`pass(?:word|wd|phrase|code)(?!_hint)|pwd|secret|token|credential|crypt|jwt|authorization`,
    String.raw`\bdsn\b|conninfo|(?:api|private|access|signing|master)_?key|(?<![a-z])keys?(?![a-z])`,
  ].join('|'),
  'i',
);
/** The word `key` in these names no secret. */
const plainKey = /\b(?:primary|foreign|no|for|on\s+conflict\s+on)\s{1,20}key\b/gi;
/** Longer than every name of a secret: it may lie across two steps. */
const overlap = 64;

/** Texts that are secrets wherever they are, also when their ends are cut off. */
const known = [
  /SCRAM-SHA-256\$\d+:[\w+/=$:]+/g,
  /\bmd5[0-9a-f]{32}\b/gi,
  /\$(?:argon2\w*|2[aby]|scrypt)\$[\w$=,./+-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{10,}(?:\.[\w-]*)*/g,
  /\b(?:rh|sk|pk|rk|whsec|ghp|gho|xox[abp]|uak)_[\w+/=-]{8,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
];
const bearer = /\b(bearer|basic)(\s+)[\w.~+/=-]{8,}/gi;
const userinfo = /(:\/\/[^\s:/@']+:)[^\s@']+(@)/g;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A literal of many letters and digits without a space: a key rather than a word. */
const keyLike = /^'[\w+/=.-]{24,}'?$/;

/**
 * Returns the first 4 KB of a script with passwords, tokens, keys and password verifiers masked, in steps. A statement
 * that names a secret anywhere loses all its literals, because the way from the name to the value has many forms.
 */
export function* maskSql({ text, statements }: SqlScript): Steps<string> {
  const parts = new MaskedText(text);
  for (const statement of statements) {
    const { start, end } = statement;
    if (parts.isFull) break;
    parts.addGap(start);
    parts.addStatement(statement, yield* hasSecretName(text, start, end));
    yield;
  }
  parts.addGap(text.length);
  return cut(maskKnown(parts.text.slice(0, searchedLength)));
}

type Statement = SqlScript['statements'][number];

class MaskedText {
  text = '';
  readonly #script: string;
  #at = 0;

  constructor(script: string) {
    this.#script = script;
  }

  get isFull(): boolean {
    return this.text.length >= searchedLength;
  }

  addStatement({ start, end, words: [first] }: Statement, namesSecret: boolean): void {
    let isSetting = first === 'set';
    let isValue = false;
    for (const token of sqlTokens(this.#script, start)) {
      if (this.isFull || token.start >= end) break;
      this.addGap(token.start);
      // `set app.secret to hunter2`: a value of a setting need not be a literal.
      if (isValue && namesSecret && token.kind !== 'semicolon') this.#add(token, `'${masked}'`);
      else this.#add(token, this.#shown(token, namesSecret, first));
      // `alter role app set app.secret to hunter2`
      isSetting ||= first === 'alter' && token.kind === 'word' && token.text === 'set';
      isValue ||= isSetting && (token.text === 'to' || token.text === '=');
    }
  }

  /** White space and comments up to `end`. A comment that names a secret may hold a statement. */
  addGap(end: number): void {
    // A comment has no end of its own here; its beginning decides.
    const gap = this.#script.slice(this.#at, Math.min(end, this.#at + searchedLength));
    this.text += secretName.test(gap) ? ` /* ${masked} */ ` : gap;
    this.#at = end;
  }

  #add(token: SqlToken, text: string): void {
    this.text += text;
    this.#at = token.end;
  }

  #shown({ kind, text, start, end }: SqlToken, namesSecret: boolean, first?: string): string {
    const shown = this.#script.slice(start, Math.min(end, start + searchedLength));
    if (kind !== 'literal') return shown;
    const isBody = text === '$' && (first === 'create' || first === 'do');
    if (namesSecret && !(isBody && !secretName.test(this.#script.slice(start, end)))) {
      return `'${masked}'`;
    }
    return keyLike.test(shown) && isKey(shown.slice(1, -1)) ? `'${masked}'` : shown;
  }
}

function* hasSecretName(text: string, start: number, end: number): Steps<boolean> {
  for (let at = start; at < end; at += stepChars) {
    const part = text.slice(at, Math.min(end, at + stepChars + overlap));
    if (secretName.test(part.replaceAll(plainKey, ' '))) return true;
    yield;
  }
  return false;
}

function maskKnown(text: string): string {
  let rest = text;
  for (const pattern of known) rest = rest.replace(pattern, masked);
  return rest.replace(bearer, `$1$2${masked}`).replace(userinfo, `$1${masked}$2`);
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

// Host names that look like other ones. The rule is that of browsers (Unicode TS 39, "highly restrictive"): a label is
// written in one script, or in Latin with the scripts of Chinese, Japanese or Korean. A label of another script that
// consists only of letters that look like Latin ones is refused, too.

const scripts = {
  Latin: /\p{Script=Latin}/u,
  Han: /\p{Script=Han}/u,
  Hiragana: /\p{Script=Hiragana}/u,
  Katakana: /\p{Script=Katakana}/u,
  Bopomofo: /\p{Script=Bopomofo}/u,
  Hangul: /\p{Script=Hangul}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Arabic: /\p{Script=Arabic}/u,
  Hebrew: /\p{Script=Hebrew}/u,
  Armenian: /\p{Script=Armenian}/u,
  Devanagari: /\p{Script=Devanagari}/u,
  Thai: /\p{Script=Thai}/u,
} as const;

const shared = /[\p{Script=Common}\p{Script=Inherited}]/u;
const together: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** Letters of Cyrillic, Greek and Armenian that look like Latin ones. */
const likeLatin = /^[абвгеорсухѕіјԛԝӏһԁүзмткηαοινυρκτχєօսհոցաքյǃ\d-]+$/u;
const notLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/** The first label, as displayed, that looks like another one; undefined if there is none. */
export function lookalikeIn(unicodeDomain: string): string | undefined {
  return unicodeDomain.split('.').find((label) => isMixed(label) || isDisguised(label));
}

function isMixed(label: string): boolean {
  const found = new Set([...label].filter((letter) => !shared.test(letter)).map(scriptOf));
  if (found.size <= 1) return false;
  return !together.some((allowed) => [...found].every((script) => allowed.includes(script)));
}

function isDisguised(label: string): boolean {
  return notLatin.test(label) && likeLatin.test(label);
}

function scriptOf(letter: string): string {
  return Object.entries(scripts).find(([, pattern]) => pattern.test(letter))?.[0] ?? 'another';
}

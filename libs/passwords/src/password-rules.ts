import { normalizePassword } from './normal-form.js';

/** The rules for a new password. Lengths count characters (code points of the normalized password), not bytes. */
export interface PasswordRules {
  readonly minPasswordLength: number;
  readonly maxPasswordLength: number;
  readonly requireLowercase: boolean;
  readonly requireUppercase: boolean;
  readonly requireDigit: boolean;
  readonly requireSymbol: boolean;
}

/** The rules that a project can turn on. Letters and digits of every script count. */
const DEMANDS = [
  { rule: 'requireLowercase', text: 'a lower-case letter', pattern: /\p{Ll}/u },
  { rule: 'requireUppercase', text: 'an upper-case letter', pattern: /\p{Lu}/u },
  { rule: 'requireDigit', text: 'a digit', pattern: /\p{Nd}/u },
  { rule: 'requireSymbol', text: 'a symbol', pattern: /[\p{P}\p{S}]/u },
] as const;

/** Returns every rule that the password breaks, as a text; undefined if it is allowed. */
export function passwordProblem(rules: PasswordRules, chosen: string): string | undefined {
  const password = normalizePassword(chosen);
  const length = [...password].length;
  if (length > rules.maxPasswordLength) {
    return `it has more than ${rules.maxPasswordLength} characters`;
  }
  const missing: string[] = DEMANDS.filter(
    ({ rule, pattern }) => rules[rule] && !pattern.test(password),
  ).map(({ text }) => text);
  if (length < rules.minPasswordLength) {
    missing.unshift(`at least ${rules.minPasswordLength} characters`);
  }
  return missing.length === 0 ? undefined : `it needs ${enumerate(missing)}`;
}

function enumerate(words: readonly string[]): string {
  const head = words.slice(0, -1).join(', ');
  return [head, ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}

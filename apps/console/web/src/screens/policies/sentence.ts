// A policy as a sentence in plain words. Common forms of expressions have words of their own; others are quoted.
import { partsBetween, unwrapped } from './sql-text.js';

/** Characters of an expression that has words of its own. */
const maxSpoken = 2_000;
/** Of a longer one, this much is quoted. */
const maxQuoted = 200;

/** What the sentence is about. */
export interface SpokenPolicy {
  readonly command: 'all' | 'select' | 'insert' | 'update' | 'delete';
  readonly roles: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
  readonly isPermissive: boolean;
}

/** Returns one sentence, such as “Signed-in users may read rows whose owner is the caller.” */
export function policySentence(policy: SpokenPolicy): string {
  const who = whoOf(policy.roles);
  const reached = rowsOf(policy.using ?? 'true');
  const made = rowsOf(policy.check ?? policy.using ?? 'true');
  return policy.isPermissive
    ? `${who} may ${permitted(policy, reached, made)}.`
    : `${who} may ${verbs[policy.command]} nothing but ${restricted(policy, reached, made)}, whatever other policies say.`;
}

const verbs = {
  all: 'read, add, change and delete',
  select: 'read',
  insert: 'add',
  update: 'change',
  delete: 'delete',
} as const;

function permitted({ command, check }: SpokenPolicy, reached: string, made: string): string {
  const isChecked = check !== null && made !== reached;
  switch (command) {
    case 'insert':
      return `add ${made}`;
    case 'update':
      return isChecked ? `change ${reached} into ${made}` : `change ${reached}`;
    case 'all':
      return isChecked
        ? `read, change and delete ${reached}, and write ${made}`
        : `${verbs.all} ${reached}`;
    case 'select':
    case 'delete':
      return `${verbs[command]} ${reached}`;
  }
}

function restricted({ command, check }: SpokenPolicy, reached: string, made: string): string {
  if (command === 'insert') return made;
  return check !== null && made !== reached ? `${reached}, and write ${made}` : reached;
}

const roleNames: Readonly<Record<string, string>> = {
  public: 'Everyone',
  anon: 'Visitors',
  authenticated: 'Signed-in users',
};

function whoOf(roles: readonly string[]): string {
  const names = roles.map((role, index) => {
    const name = roleNames[role] ?? `The role ${role}`;
    return index === 0 ? name : name.charAt(0).toLowerCase() + name.slice(1);
  });
  return listed(names, 'and');
}

/** Rows by their values, or every row under a condition on the caller. */
type Part =
  | { readonly kind: 'every' }
  | { readonly kind: 'none' }
  | { readonly kind: 'row'; readonly words: string }
  | { readonly kind: 'caller'; readonly words: string };

/** Returns the rows for which an expression is true, such as “rows whose owner is the caller”. */
export function rowsOf(expression: string): string {
  // Finding words takes longer than their expression is long, and its author may be a stranger.
  if (expression.length > maxSpoken) {
    return `rows for which ${expression.slice(0, maxQuoted)}… is true`;
  }
  const text = unwrapped(expression);
  const choices = partsBetween(text, ' OR ');
  if (choices.length > 1) return rowsOfAny(choices);
  const parts = partsBetween(text, ' AND ')
    .map(partOf)
    .filter(({ kind }) => kind !== 'every');
  if (parts.some(({ kind }) => kind === 'none')) return 'no row';
  const words = (kind: 'row' | 'caller') =>
    parts.flatMap((part) => (part.kind === kind ? [part.words] : []));
  const rows = words('row');
  const callers = words('caller');
  return [
    rows.length > 0 ? `rows ${listed(rows, 'and')}` : 'every row',
    ...(callers.length > 0 ? [`if ${listed(callers, 'and')}`] : []),
  ].join(' ');
}

function rowsOfAny(choices: readonly string[]): string {
  const parts = choices.map(partOf);
  const rows = parts.flatMap((part) => (part.kind === 'row' ? [part.words] : []));
  if (rows.length === parts.length) return `rows ${listed(rows, 'or')}`;
  return choices.map(rowsOf).join(', or ');
}

/** The caller's id, also within a sub-select, which PostgreSQL evaluates once. */
const uid = String.raw`(?:\(\s*select\s+(?:\(?auth\.uid\(\)\)?(?:::\w+)?)(?:\s+as\s+\w+)?\s*\)|\(?auth\.uid\(\)\)?)(?:::\w+)?`;
const name = String.raw`(?:"[^"]+"|(?!(?:true|false|null|not|only|where)\b)[a-z_]\w*)`;
const column = String.raw`\(?(?:${name}\.)?(${name})\)?(?:::\w+)?`;
const literal = String.raw`'((?:[^']|'')*)'(?:::[\w ]+)?`;
const claim = String.raw`\(?\(*\s*(?:select\s+)?\(*auth\.jwt\(\)((?:\s*->>?\s*'[^']+'(?:::text)?\)*)+)(?:\s+as\s+"?[?\w]+"?)?\s*\)*(?:::\w+)?`;

const forms: readonly {
  readonly form: RegExp;
  readonly part: (...found: readonly string[]) => Part;
}[] = [
  { form: /^true$/i, part: () => ({ kind: 'every' }) },
  { form: /^false$/i, part: () => ({ kind: 'none' }) },
  {
    form: whole(`${column} = ${uid}`),
    part: (name) => row(`whose ${nameOf(name)} is the caller`),
  },
  {
    form: whole(`${uid} = ${column}`),
    part: (name) => row(`whose ${nameOf(name)} is the caller`),
  },
  { form: whole(`${uid} IS NOT NULL`), part: () => caller('the caller is signed in') },
  {
    form: whole(`${claim} = ${literal}`),
    part: (path, value) => caller(`${claimOf(path)} of the caller is “${valueOf(value)}”`),
  },
  {
    form: whole(`${column} = ${claim}`),
    part: (name, path) => row(`whose ${nameOf(name)} is ${claimOf(path)} of the caller`),
  },
  {
    form: whole(`auth\\.role\\(\\) = ${literal}`),
    part: (role) =>
      caller(role === 'authenticated' ? 'the caller is signed in' : `the caller is ${role ?? ''}`),
  },
  {
    form: whole(`${column} = ${literal}`),
    part: (name, value) => row(`whose ${nameOf(name)} is “${valueOf(value)}”`),
  },
  {
    form: whole(`${column} = (true|false|-?[\\d.]+)`),
    part: (name, value) => row(`whose ${nameOf(name)} is ${value ?? ''}`),
  },
  { form: whole(`${column} IS NULL`), part: (name) => row(`without ${nameOf(name)}`) },
  { form: whole(`${column} IS NOT NULL`), part: (name) => row(`with ${nameOf(name)}`) },
  { form: whole(`NOT ${column}`), part: (name) => row(`whose ${nameOf(name)} is false`) },
  { form: /^("?[a-z_]\w*"?)$/i, part: (name) => row(`whose ${nameOf(name)} is true`) },
];

/** A sub-select of one column of one table, with a condition and nothing after it. */
const subSelect = (list: string): string =>
  String.raw`\(\s*SELECT\s+${list}\s+FROM\s+(?<table>(?:${name}\.)?${name})(?:\s+(?:AS\s+)?(?<alias>${name}))?\s+WHERE\s+(?<condition>[\s\S]+)\)`;
const qualified = (qualifier: string): string => String.raw`(?:(?<${qualifier}>${name})\.)?${name}`;
const exists = whole(`EXISTS\\s*${subSelect(`(?:1|\\*|true|${qualified('selected')})`)}`);
const isIn = whole(`${column}\\s+IN\\s*${subSelect(qualified('selected'))}`);
const owner = String.raw`\(?${qualified('compared')}\)?(?:::\w+)?`;
const ofCaller = [whole(`${owner} = ${uid}`), whole(`${uid} = ${owner}`)];

/**
 * `EXISTS` and `IN` with the rows of a table that belong to the caller: the whole condition is `column = uid`. Another
 * condition has no words, which would leave a part of it out, nor has a comparison of a column outside of the sub-select.
 */
function partOfCallersRows(text: string): Part | undefined {
  const list = isIn.exec(text);
  const { table, alias, condition, selected } = (list ?? exists.exec(text))?.groups ?? {};
  if (table === undefined || condition === undefined) return undefined;
  const inner = unwrapped(condition);
  const found = ofCaller.map((form) => form.exec(inner)).find((match) => match !== null);
  if (!found) return undefined;
  const own = alias ?? table.split('.').at(-1);
  const qualifiers = [selected, found.groups?.['compared']];
  if (!qualifiers.every((qualifier) => qualifier === undefined || qualifier === own))
    return undefined;
  return list
    ? row(`whose ${nameOf(list[1])} is one of those that ${nameOf(table)} has for the caller`)
    : caller(`${nameOf(table)} has a row of the caller`);
}

function partOf(expression: string): Part {
  const text = unwrapped(expression);
  for (const { form, part } of forms) {
    const found = form.exec(text);
    if (found) return part(...found.slice(1).map((word) => word ?? ''));
  }
  return partOfCallersRows(text) ?? row(`for which ${text} is true`);
}

function whole(form: string): RegExp {
  return new RegExp(`^${form}$`, 'i');
}

const row = (words: string): Part => ({ kind: 'row', words });
const caller = (words: string): Part => ({ kind: 'caller', words });

function nameOf(name = ''): string {
  return name
    .replaceAll('"', '')
    .replace(/^public\./, '')
    .trim();
}

const valueOf = (value = ''): string => value.replaceAll("''", "'");

/** `-> 'app_metadata' ->> 'role'` */
function claimOf(path = ''): string {
  const names = [...path.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  return `the claim ${names.join('.')}`;
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
}

// Small pieces of TypeScript as text. Database names may be any text: they enter the source only as identifiers or as
// JSON strings.

const identifier = /^[A-Za-z_$][\w$]*$/;

/** A string literal. Safe for any text: quotes, backslashes and line ends are escaped. */
export function stringLiteral(text: string): string {
  // JSON does not escape these two, and editors treat them as line ends.
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A name before the colon of a property, quoted if needed. */
export function propertyName(name: string): string {
  return identifier.test(name) ? name : stringLiteral(name);
}

/** A member of an object type: the part before the colon, and the type. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
}

/** An object type over several lines, or `{ [_ in never]: never }` if it has no member. */
export function objectType(members: readonly Member[]): string {
  if (members.length === 0) return '{ [_ in never]: never }';
  return `{\n${indented(members.map(memberText).join('\n'))}\n}`;
}

/** A member with its semicolon. */
export function memberText({ name, type, isOptional }: Member): string {
  return `${propertyName(name)}${isOptional === true ? '?' : ''}: ${type};`;
}

/** An object type on one line. */
export function inlineObject(members: readonly Member[]): string {
  return objectType(members).replaceAll(/\n\s*/g, ' ');
}

/** A tuple type of string literals. */
export function tupleOf(texts: readonly string[]): string {
  return `[${texts.map(stringLiteral).join(', ')}]`;
}

/** A union over several lines; the type itself if there is only one. */
export function unionType(types: readonly string[]): string {
  const [first = 'never'] = types;
  if (types.length <= 1) return first;
  return types.map((type) => `\n${indented(`| ${type}`)}`).join('');
}

/** Each line moved to the right by `levels` times two blanks. No literal holds a line end, so none is changed. */
export function indented(text: string, levels = 1): string {
  return text.replaceAll(/^(?=.)/gm, '  '.repeat(levels));
}

/** Sorted by code units, so that the order depends on no locale. */
export function sortedByName<Item extends { readonly name: string }>(
  items: Iterable<Item>,
): readonly Item[] {
  return [...items].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

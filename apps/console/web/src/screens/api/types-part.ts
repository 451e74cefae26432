// A part of the generated types (libs/type-generation), which are text.
import { textLiteral } from './words.js';

/** The member of a table or function, moved to the left; undefined if the types do not have it. */
export function typeOf(
  types: string,
  section: 'Tables' | 'Functions',
  name: string,
): string | undefined {
  const lines = types.split('\n');
  const start = lines.indexOf(`    ${section}: {`);
  const end = lines.indexOf('    };', start);
  if (start < 0) return undefined;
  const members = lines.slice(start + 1, end < 0 ? undefined : end);
  const head = `      ${memberName(name)}:`;
  const first = members.findIndex((line) => line.startsWith(head));
  if (first < 0) return undefined;
  // The next member begins as far to the left; a brace there ends this one.
  const length = members.slice(first + 1).findIndex((line) => /^ {6}[^ }]/.test(line));
  const own = members.slice(first, length < 0 ? undefined : first + 1 + length);
  return own.map((line) => line.slice(6)).join('\n');
}

/** A name as the generated types write it: as an identifier or a literal in double quotes. */
function memberName(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name;
  const literal = JSON.stringify(name);
  return literal.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** How a program names the types of a table. */
export function tableTypesUse(name: string): string {
  const text = textLiteral(name);
  return `import type { Tables, TablesInsert, TablesUpdate } from './database.js';

type Row = Tables<${text}>;
type NewRow = TablesInsert<${text}>;
type Change = TablesUpdate<${text}>;`;
}

/** How a program names the types of a function. */
export function functionTypesUse(name: string): string {
  const type = `Database['public']['Functions'][${textLiteral(name)}]`;
  return `import type { Database } from './database.js';

type Arguments = ${type}['Args'];
type Result = ${type}['Returns'];`;
}

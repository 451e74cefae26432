// Names of components and operations. OpenAPI allows letters, digits, dots, hyphens and underscores in them, PostgreSQL
// allows any characters in the name of a table.
import type { Reference } from './openapi.js';

/**
 * A name as one part of the name of a component: `my table` becomes `my-20-table`. Different names stay different, and
 * the result has no dot: dots join the parts, so that parts and words never run together.
 */
export function namePart(name: string): string {
  return name.replace(/\W/gu, (character) => `-${(character.codePointAt(0) ?? 0).toString(16)}-`);
}

/** A name as one part of a path; braces would be a template. */
export function pathPart(name: string): string {
  return encodeURIComponent(name);
}

export function schemaRef(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

export function parameterRef(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

export function headerRef(name: string): Reference {
  return { $ref: `#/components/headers/${name}` };
}

export function responseRef(name: string): Reference {
  return { $ref: `#/components/responses/${name}` };
}

/** Names of the schemas of a table. */
export function tableSchemaNames(table: string) {
  const part = namePart(table);
  return { row: part, insert: `${part}.insert`, update: `${part}.update` };
}

/** A name in a description, which is Markdown: as code, whatever it contains. */
export function asCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  if (longest === 0) return `\`${text}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}

/** The parts of a description as paragraphs; undefined if none is left. */
export function paragraphs(...parts: readonly (string | undefined)[]): string | undefined {
  const filled = parts.filter((part) => part !== undefined && part !== '');
  return filled.length > 0 ? filled.join('\n\n') : undefined;
}

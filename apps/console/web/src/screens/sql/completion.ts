// What the editor completes: the tables, columns, enums and functions of the project.
import type { SQLNamespace } from '@codemirror/lang-sql';
import type { Completion } from '@codemirror/autocomplete';

import type { SchemaContent } from '../project/schema.js';

/** Tables by schema, then columns with their types, as the language of SQL completes them. */
export function namespaceOf({ tables }: SchemaContent): SQLNamespace {
  const schemas: Record<string, Record<string, Completion[]>> = {};
  for (const { schema, name, columns } of tables) {
    const known = (schemas[schema] ??= {});
    known[name] = columns.map((column) => ({
      label: column.name,
      type: 'property',
      detail: column.type,
    }));
  }
  return schemas;
}

/** Functions and enums, which are completed everywhere. */
export function wordsOf({ enums, functions }: SchemaContent): readonly Completion[] {
  return [
    ...functions.map(({ schema, name, arguments: given }) => ({
      label: schema === 'public' ? name : `${schema}.${name}`,
      type: 'function',
      detail: `(${given})`,
    })),
    ...enums.map(({ schema, name }) => ({
      label: schema === 'public' ? name : `${schema}.${name}`,
      type: 'type',
      detail: 'enum',
    })),
  ];
}

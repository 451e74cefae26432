// What the pages need of the OpenAPI document of a project: its tables and functions with their columns and arguments.

/** What the document does not say of a table: which columns are its key. */
export interface KnownTable {
  readonly name: string;
  readonly comment: string | null;
  readonly primaryKey: readonly string[];
}

export interface ApiField {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
}

/** The part of a JSON Schema that a sample value depends on. */
export interface FieldSchema {
  /** Empty: any value. */
  readonly types: readonly string[];
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly enum: readonly unknown[] | undefined;
  readonly items: FieldSchema | undefined;
  readonly maxLength: number | undefined;
  readonly description: string | undefined;
}

export interface ApiTable {
  readonly name: string;
  readonly comment: string | null;
  readonly primaryKey: readonly string[];
  readonly columns: readonly ApiField[];
  /** What an insert may write. */
  readonly insertable: readonly ApiField[];
  readonly updatable: readonly ApiField[];
}

export interface ApiFunction {
  readonly name: string;
  readonly comment: string | undefined;
  /** The arguments of each overload; `body` if the body of the request is the only argument. */
  readonly overloads: readonly (readonly ApiField[] | 'body')[];
  /** The type of the body, such as `application/json`. */
  readonly bodyType: string;
  /** Whether it may be called with GET. */
  readonly isReadable: boolean;
}

export interface ApiContent {
  readonly tables: readonly ApiTable[];
  readonly functions: readonly ApiFunction[];
}

/** The tables and functions that the document describes; tables in the order of the schema. */
export function readDocument(document: unknown, tables: readonly KnownTable[]): ApiContent {
  const schemas = recordAt(document, 'components', 'schemas');
  const paths = Object.entries(recordAt(document, 'paths'));
  return {
    tables: tables.flatMap((table) => readTable(table, schemas)),
    functions: paths.flatMap(([path, item]) =>
      path.startsWith('/rpc/') ? readFunction(decodeURIComponent(path.slice(5)), item) : [],
    ),
  };
}

/** Names of components have letters and digits alone: others are written as their number. */
const namePart = (name: string): string =>
  name.replace(/\W/gu, (character) => `-${(character.codePointAt(0) ?? 0).toString(16)}-`);

function readTable(
  { name, comment, primaryKey }: KnownTable,
  schemas: Readonly<Record<string, unknown>>,
): readonly ApiTable[] {
  const part = namePart(name);
  const row = schemas[part];
  if (row === undefined) return [];
  return [
    {
      name,
      comment,
      primaryKey,
      columns: fieldsOf(row),
      insertable: fieldsOf(schemas[`${part}.insert`]),
      updatable: fieldsOf(schemas[`${part}.update`]),
    },
  ];
}

function readFunction(name: string, item: unknown): readonly ApiFunction[] {
  const post = recordAt(item, 'post');
  const content = Object.entries(recordAt(post, 'requestBody', 'content'));
  const overloads = content.flatMap(([type, media]) => {
    const { schema } = asRecord(media);
    const { anyOf } = asRecord(schema);
    return (Array.isArray(anyOf) ? anyOf : [schema]).map((each: unknown) => ({
      type,
      schema: each,
    }));
  });
  if (overloads.length === 0) return [];
  return [
    {
      name,
      comment: textAt(post, 'description'),
      overloads: overloads.map(({ type, schema }) =>
        type === 'application/json' && 'properties' in asRecord(schema) ? fieldsOf(schema) : 'body',
      ),
      bodyType: overloads[0]?.type ?? 'application/json',
      isReadable: 'get' in asRecord(item),
    },
  ];
}

function fieldsOf(schema: unknown): readonly ApiField[] {
  const { required } = asRecord(schema);
  const names: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  return Object.entries(recordAt(schema, 'properties')).map(([name, property]) => ({
    name,
    schema: readSchema(property),
    isRequired: names.has(name),
    isNullable: isNullable(property),
  }));
}

function isNullable(property: unknown): boolean {
  const { type } = asRecord(property);
  return Array.isArray(type) && type.includes('null');
}

function readSchema(given: unknown): FieldSchema {
  const schema = asRecord(given);
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  const { maxLength, items } = schema;
  return {
    types: types.filter((type) => type !== 'null'),
    format: textAt(schema, 'format'),
    pattern: textAt(schema, 'pattern'),
    enum: Array.isArray(schema['enum']) ? schema['enum'] : undefined,
    items: items === undefined ? undefined : readSchema(items),
    maxLength: typeof maxLength === 'number' ? maxLength : undefined,
    description: textAt(schema, 'description'),
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function recordAt(value: unknown, ...keys: readonly string[]): Readonly<Record<string, unknown>> {
  return asRecord(keys.reduce((found: unknown, key) => asRecord(found)[key], value));
}

function textAt(value: unknown, key: string): string | undefined {
  const found = asRecord(value)[key];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

// Builds examples of bodies for the description of an application from their schemas.

/** Further input for an example besides the schema. */
export interface ExampleWords {
  /** The referenced schemas, by name. */
  readonly schemas: Readonly<Record<string, object>>;
  /** Values for fields whose schema has no example, by the name of the field. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Returns an example of a schema; for an object, the required fields and those that declare an example. Returns
 * undefined for a text or a number without an example, because an invented one would not be valid.
 */
export function exampleOf(schema: object, words: ExampleWords): unknown {
  const found = Object.entries(schema).find(([key]) =>
    ['example', 'const', 'default'].includes(key),
  );
  if (found !== undefined) return found[1];
  if ('$ref' in schema && typeof schema.$ref === 'string') {
    const target = words.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (target !== undefined) return exampleOf(target, words);
  }
  if ('enum' in schema && Array.isArray(schema.enum)) return schema.enum[0];
  if ('allOf' in schema && Array.isArray(schema.allOf)) return exampleOf(schema.allOf[0], words);
  const type = 'type' in schema ? schema.type : undefined;
  if (type === 'array' && 'items' in schema) {
    const item = exampleOf(Object(schema.items), words);
    return item === undefined ? undefined : [item];
  }
  return type === 'object' ? objectExample(schema, words) : undefined;
}

function objectExample(schema: object, words: ExampleWords): object | undefined {
  const required = 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  const properties = 'properties' in schema ? Object(schema.properties) : {};
  const values = Object.entries<object>(properties)
    .filter(([name, property]) => required.includes(name) || 'example' in property)
    .map(([name, property]) => [
      name,
      'example' in property ? property.example : (words.fields[name] ?? exampleOf(property, words)),
    ]);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}

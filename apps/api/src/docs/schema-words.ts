// The words in which the schemas of answers are written.
import type { Json } from '#libs/web';

export const text = { type: 'string' };
export const number = { type: 'number' };
export const flag = { type: 'boolean' };
export const time = { ...text, format: 'date-time' };
export const anything = { type: 'object', additionalProperties: true };
export const listOf = (items: object): Json => ({ type: 'array', items });
export const texts = listOf(text);
export const orNull = (schema: Json): Json =>
  typeof schema['type'] === 'string'
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
/** A schema of the document by its name. */
export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const about = (description: string, schema: Json): Json => ({ ...schema, description });

/** An object with these fields; those whose name ends in `?` may be absent. */
export function shape(fields: Readonly<Record<string, object>>): Json {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  const properties = Object.entries(fields).map(([name, schema]) => [
    name.replace('?', ''),
    schema,
  ]);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

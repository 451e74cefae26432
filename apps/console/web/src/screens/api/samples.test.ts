import { expect, test } from 'vitest';

import { readDocument } from './document.js';
import { sampleOf } from './samples.js';

const sample = (property: object): unknown => {
  const schema = { type: 'object', properties: { a: property } };
  const body = { content: { 'application/json': { schema } } };
  const { functions } = readDocument({ paths: { '/rpc/f': { post: { requestBody: body } } } }, []);
  const [fields] = functions[0]?.overloads ?? [];
  const [field] = fields === undefined || fields === 'body' ? [] : fields;
  return field && sampleOf(field.schema);
};

test.each([
  { name: 'a number that may be null', property: { type: ['integer', 'null'] }, value: 1 },
  { name: 'a boolean', property: { type: 'boolean' }, value: true },
  { name: 'a label', property: { type: 'string', enum: [`it's`, null] }, value: `it's` },
  { name: 'any JSON', property: {}, value: {} },
  { name: 'a list', property: { type: 'array', items: { type: 'number' } }, value: [1] },
  { name: 'a short text', property: { type: 'string', maxLength: 2 }, value: 'te' },
  {
    name: 'bytes',
    property: { type: 'string', pattern: '^\\\\x([0-9A-Fa-f]{2})*$' },
    value: '\\x00',
  },
  { name: 'a day', property: { type: 'string', format: 'date' }, value: '2026-01-31' },
  {
    name: 'a range, whatever its comment says',
    property: { type: 'string', description: 'for example `x`.\n\nA range, for example `[1,10)`.' },
    value: '[1,10)',
  },
])('$name has the sample $value', ({ property, value }) => {
  expect(sample(property)).toEqual(value);
});

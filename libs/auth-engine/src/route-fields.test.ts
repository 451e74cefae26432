import { expect, test } from 'vitest';

import { fieldNames, routeFields } from './route-fields.js';
import { listAuthRoutes } from './router.js';

test('a declaration says which fields are required, which the example has, and their types', () => {
  expect(routeFields({ fields: 'email! name+ rememberMe:boolean' })).toEqual([
    { name: 'email', isRequired: true, isInExample: false, type: 'string' },
    { name: 'name', isRequired: false, isInExample: true, type: 'string' },
    { name: 'rememberMe', isRequired: false, isInExample: false, type: 'boolean' },
  ]);
});

test.each([
  { rule: 'no field is allowed by an empty declaration', fields: '', names: new Set() },
  { rule: 'no rule follows from no declaration', fields: undefined, names: undefined },
])('$rule', ({ fields, names }) => {
  expect(fieldNames(fields === undefined ? {} : { fields })).toEqual(names);
});

test('a word that declares no field is a mistake of the part', () => {
  expect(() => routeFields({ fields: 'email? name' })).toThrow('email? does not declare a field');
});

test('each route declares fields that can be read, and its summary', () => {
  const routes = listAuthRoutes();
  expect(routes.length).toBeGreaterThan(100);
  expect(routes.filter(({ summary }) => summary === '')).toEqual([]);
  for (const route of routes) routeFields(route);
});

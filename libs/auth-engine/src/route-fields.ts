import type { Route } from './part.js';

/** A field that a route declares. */
export interface RouteField {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether the example of the API description has it although it is not required. */
  readonly isInExample: boolean;
  /** The type in JSON Schema. */
  readonly type: string;
}

const word = /^(\w+)([!+]?)(?::(\w+))?$/;

/** Returns the fields of a route. Throws for a declaration that cannot be read. */
export function routeFields({ fields = '' }: Pick<Route, 'fields'>): readonly RouteField[] {
  const words = fields.split(' ').filter((each) => each !== '');
  return words.map((each) => {
    const [, name, mark, type = 'string'] = word.exec(each) ?? [];
    if (name === undefined) throw new Error(`${each} does not declare a field`);
    return { name, isRequired: mark === '!', isInExample: mark === '+', type };
  });
}

/** Declarations are few and fixed: each is read once. */
const namesByDeclaration = new Map<string, ReadonlySet<string>>();

/** Returns the names of the fields of a route; undefined when it declares none. */
export function fieldNames({ fields }: Pick<Route, 'fields'>): ReadonlySet<string> | undefined {
  if (fields === undefined) return undefined;
  const known = namesByDeclaration.get(fields);
  if (known) return known;
  const names = new Set(routeFields({ fields }).map(({ name }) => name));
  namesByDeclaration.set(fields, names);
  return names;
}

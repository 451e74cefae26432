// Checks an OpenAPI document by the rules of the specification that a generated document can break.
type Json = Readonly<Record<string, unknown>>;

const verbs: ReadonlySet<string> = new Set(['get', 'head', 'post', 'patch', 'delete']);
const componentName = /^[\w.-]+$/;
const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** One line for each broken rule; empty for a valid document. */
export function documentProblems(document: unknown): readonly string[] {
  const root = objectAt(document);
  return [
    ...componentProblems(objectAt(root['components'])),
    ...referenceProblems(root),
    ...operationProblems(root),
    ...[...everyObject(root, '')].flatMap(([where, value]) => schemaProblems(where, value)),
  ];
}

function componentProblems(components: Json): readonly string[] {
  return Object.values(components)
    .flatMap((group) => Object.keys(objectAt(group)))
    .filter((name) => !componentName.test(name))
    .map((name) => `the component ${name} has a name that is not allowed`);
}

function referenceProblems(root: Json): readonly string[] {
  return [...everyObject(root, '')]
    .map(([, value]) => value['$ref'])
    .filter((ref) => typeof ref === 'string')
    .filter((ref) => resolve(root, ref) === undefined)
    .map((ref) => `${ref} leads nowhere`);
}

function operationProblems(root: Json): readonly string[] {
  const tags = listAt(root['tags']).map((tag) => objectAt(tag)['name']);
  const operations = operationsOf(root);
  const ids = operations.map(({ operation }) => operation['operationId']);
  return [
    ...repeated(ids).map((id) => `the operationId ${id} is not unique`),
    ...repeated(tags).map((tag) => `the tag ${tag} is not unique`),
    ...operations.flatMap(({ where, verb, operation }) => [
      ...listAt(operation['tags'])
        .filter((tag) => !tags.includes(tag))
        .map((tag) => `${where}: the tag ${String(tag)} is not declared`),
      ...parameterProblems(root, where, operation),
      ...(operation['requestBody'] !== undefined && !['post', 'patch'].includes(verb)
        ? [`${where}: a request without a body has one`]
        : []),
      ...(Object.keys(objectAt(operation['responses'])).length === 0
        ? [`${where}: no response`]
        : []),
    ]),
  ];
}

function operationsOf(root: Json) {
  return Object.entries(objectAt(root['paths'])).flatMap(([path, item]) =>
    Object.entries(objectAt(item)).map(([verb, operation]) => {
      if (!path.startsWith('/') || /[{}]/.test(path) || !verbs.has(verb)) {
        throw new Error(`${verb} ${path} is no operation`);
      }
      return { where: `${verb} ${path}`, verb, operation: objectAt(operation) };
    }),
  );
}

function parameterProblems(root: Json, where: string, operation: Json): readonly string[] {
  const parameters = listAt(operation['parameters']).map((parameter) => {
    const ref = objectAt(parameter)['$ref'];
    return objectAt(typeof ref === 'string' ? resolve(root, ref) : parameter);
  });
  const keys = parameters.map(
    (parameter) => `${String(parameter['in'])} ${String(parameter['name'])}`,
  );
  return [
    ...repeated(keys).map((key) => `${where}: the parameter ${key} is not unique`),
    ...parameters
      .filter(({ schema, name }) => typeof schema !== 'object' || typeof name !== 'string')
      .map((parameter) => `${where}: ${JSON.stringify(parameter)} is no parameter`),
  ];
}

/** Any object with `type` or `required` in it counts as a schema, unless it is at a place where none can be. */
function schemaProblems(where: string, value: Json): readonly string[] {
  const types = [value['type'] ?? []].flat();
  const isSchema = types.every((type) => typeof type === 'string' && jsonTypes.includes(type));
  if (!isSchema || /\/(properties|securitySchemes\/\w+)$/.test(where)) return [];
  const properties = objectAt(value['properties'] ?? {});
  const required = Array.isArray(value['required']) ? listAt(value['required']) : [];
  const labels = listAt(value['enum'] ?? []);
  return [
    ...required
      .filter((name) => typeof name !== 'string' || !Object.hasOwn(properties, name))
      .map((name) => `${where}: ${String(name)} is required but no property`),
    ...repeated(required).map((name) => `${where}: ${name} is required twice`),
    ...repeated(labels).map((label) => `${where}: the label ${label} is there twice`),
    ...(value['default'] === null ? [`${where}: null as a default`] : []),
  ];
}

function* everyObject(value: unknown, where: string): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [where, objectAt(value)];
  for (const [key, each] of Object.entries(value)) yield* everyObject(each, `${where}/${key}`);
}

function resolve(root: Json, ref: string): unknown {
  let at: unknown = root;
  for (const part of ref.replace('#/', '').split('/')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = objectAt(at)[part];
  }
  return at;
}

function repeated(values: readonly unknown[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index).map(String);
}

function objectAt(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`not an object: ${JSON.stringify(value)}`);
  }
  return { ...value };
}

function listAt(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`);
  return value;
}

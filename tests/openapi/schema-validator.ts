// Checks of values against the JSON schemas of a description, by the validator that Fastify brings along.
import { createRequire } from 'node:module';

type Check = ((value: unknown) => boolean) & {
  errors?: readonly { instancePath: string; message?: string; params: object }[] | null;
};
interface Validator {
  compile(schema: object): Check;
}
type NewValidator = new (options: object) => Validator;

/** `require` of a package that another one depends on. */
const requireOf = (from: NodeJS.Require, name: string) => createRequire(from.resolve(name));
const ofFastify = requireOf(createRequire(import.meta.url), 'fastify');
// `require` has no types; JSON Schema 2020-12 is the dialect of OpenAPI 3.1.
const { default: Ajv } = requireOf(ofFastify, '@fastify/ajv-compiler')('ajv/dist/2020') as {
  default: NewValidator;
};

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const validator = new Ajv({
  strict: false,
  allErrors: true,
  formats: { 'date-time': isoTime, email: /^[^@\s]+@[^@\s]+$/, binary: true, password: true },
});

/** A function that lists how a value breaks `schema`, whose references lead to `components`. */
export function checkerOf(
  schema: object,
  components: unknown,
): (value: unknown) => readonly string[] {
  const check = validator.compile(closed({ ...schema, components }));
  return (value) =>
    check(value)
      ? []
      : (check.errors ?? []).map(
          ({ instancePath, message, params }) =>
            `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
        );
}

/** The schema without room for properties that it does not name: an answer holds what is described, no more. */
function closed<T>(value: T): T;
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => closed<unknown>(each));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, closed<unknown>(each)]),
  );
  const isOpen = !('properties' in kept) || 'additionalProperties' in kept;
  const isSchema = kept['type'] === 'object' || [kept['type']].flat().includes('object');
  return isSchema && !isOpen ? { ...kept, additionalProperties: false } : kept;
}

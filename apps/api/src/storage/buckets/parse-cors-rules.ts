// CORS rules as an administrator sends them. Everything is checked here, because stored rules are trusted.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

import type { CorsRule } from './cors-rules.js';

const maxRules = 50;
const maxEntries = 100;
/** Browsers keep the answer to a preflight for a day at the longest. */
const maxAgeLimit = 86_400;
const defaultMaxAge = 600;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const FIELDS = ['origins', 'methods', 'allowedHeaders', 'exposedHeaders', 'maxAgeSeconds'];
const headerForm = /^(?:\*|[!#$%&'+.^_`|~0-9a-z-]{1,128})$/;
/** The origin without its wildcards: `x` replaces the labels of `*.`. */
const maxOriginLength = 300;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The rules in `value`, normalized: methods in capital letters, headers in small ones, nothing twice. `path` is
 * how errors call the list. Throws INVALID_INPUT, MISSING_FIELD and UNKNOWN_FIELD (400), which name the place.
 */
export function parseCorsRules(value: unknown, path = 'cors'): readonly CorsRule[] {
  if (!Array.isArray(value)) throw invalid(path, 'must be a list of rules');
  if (value.length > maxRules) throw invalid(path, `must not have more than ${maxRules} rules`);
  return value.map((rule, index) => parseRule(rule, `${path}[${index}]`));
}

function parseRule(value: unknown, path: string): CorsRule {
  const fields = fieldsOf(value, path);
  const unknownField = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknownField !== undefined) throw fail('UNKNOWN_FIELD', { field: `${path}.${unknownField}` });
  return {
    origins: parseNeeded(fields, { path, name: 'origins', parse: parseOrigin }),
    methods: parseNeeded(fields, { path, name: 'methods', parse: parseMethod }),
    allowedHeaders: parseEntries(fields, { path, name: 'allowedHeaders', parse: parseHeader }),
    exposedHeaders: parseEntries(fields, { path, name: 'exposedHeaders', parse: parseHeader }),
    maxAgeSeconds: parseMaxAge(fields['maxAgeSeconds'], `${path}.maxAgeSeconds`),
  };
}

function fieldsOf(value: unknown, path: string): Fields {
  if (!isRecord(value)) throw invalid(path, 'must be an object');
  return value;
}

interface List {
  readonly path: string;
  readonly name: string;
  readonly parse: (text: string, field: string) => string;
}

/** A list that must be there and must not be empty. */
function parseNeeded(fields: Fields, list: List): readonly string[] {
  const field = `${list.path}.${list.name}`;
  if (fields[list.name] === undefined) throw fail('MISSING_FIELD', { field });
  const entries = parseEntries(fields, list);
  if (entries.length === 0) throw invalid(field, 'must not be empty');
  return entries;
}

function parseEntries(fields: Fields, { path, name, parse }: List): readonly string[] {
  const value = fields[name];
  const field = `${path}.${name}`;
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(field, 'must be a list of texts');
  if (value.length > maxEntries) {
    throw invalid(field, `must not have more than ${maxEntries} entries`);
  }
  const entries = value.map((entry: unknown, index) => {
    const place = `${field}[${index}]`;
    if (typeof entry !== 'string') throw invalid(place, 'must be a text');
    return parse(entry, place);
  });
  return [...new Set(entries)];
}

function parseOrigin(text: string, field: string): string {
  if (text === '*') return text;
  // With labels and a port in the place of its wildcards it must be an origin as browsers write it.
  const plain = text.replace(/^(https?:\/\/)\*\./, '$1x.').replace(/:\*$/, ':1');
  const isOrigin =
    text.length <= maxOriginLength &&
    /^https?:/.test(plain) &&
    URL.canParse(plain) &&
    new URL(plain).origin === plain &&
    !plain.includes('*');
  if (isOrigin) return text;
  const reason = 'write an origin such as https://app.example.org or https://*.example.org, or *';
  throw invalid(field, reason);
}

function parseMethod(text: string, field: string): string {
  const method = text.toUpperCase();
  if (METHODS.includes(method)) return method;
  throw invalid(field, `must be one of ${METHODS.join(', ')}`);
}

function parseHeader(text: string, field: string): string {
  const header = text.toLowerCase();
  if (headerForm.test(header)) return header;
  throw invalid(field, 'must be the name of a header, or *');
}

function parseMaxAge(value: unknown, field: string): number {
  if (value === undefined) return defaultMaxAge;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > maxAgeLimit) {
    throw invalid(field, `must be a whole number of seconds from 0 to ${maxAgeLimit}`);
  }
  return value;
}

function invalid(field: string, reason: string) {
  return fail('INVALID_INPUT', { field, reason });
}

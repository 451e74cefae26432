// The configuration that Deno gets for a function. It is written from the known fields of what was deployed: others
// would turn off what the sandbox relies on, or name files of the server.
import { posix } from 'node:path';

import { fail } from '#libs/errors';
import { isRecord, type JsonRecord, parseJson } from '#libs/wire';

/** In the order in which they are looked for, from the folder of the function. */
const configs = ['deno.json', 'deno.jsonc', '../deno.json', '../deno.jsonc'];
const importMaps = ['import_map.json', '../import_map.json'];
const compilerFields = [
  'experimentalDecorators',
  'emitDecoratorMetadata',
  'jsx',
  'jsxFactory',
  'jsxFragmentFactory',
  'jsxImportSource',
];

export interface DenoConfig {
  /** Where it is written, as seen from the folder of the function: paths in it are relative to this place. */
  readonly path: string;
  readonly text: string;
}

/** Whether Deno would read a file as configuration: in its place is the one that {@link configOf} returns. */
export function isConfig(path: string): boolean {
  return configs.includes(path.toLowerCase());
}

/** Returns the configuration. Throws FUNCTION_REFUSED if a file cannot be read or names a file that is not there. */
export function configOf(files: Readonly<Record<string, string>>): DenoConfig {
  const name = configs.find((each) => files[each] !== undefined);
  if (name === undefined) {
    const map = importMaps.find((each) => files[each] !== undefined);
    return { path: 'deno.json', text: JSON.stringify(map === undefined ? {} : { importMap: map }) };
  }
  const given = readConfig(name, files[name] ?? '');
  const { imports, scopes, compilerOptions, importMap } = given;
  const folder = posix.dirname(name);
  const config = {
    ...(isRecord(imports) && { imports }),
    ...(isRecord(scopes) && { scopes }),
    ...(isRecord(compilerOptions) && { compilerOptions: pick(compilerOptions, compilerFields) }),
    ...(importMap !== undefined && { importMap: checkMap(importMap, folder, files) }),
  };
  return { path: posix.join(folder, 'deno.json'), text: JSON.stringify(config) };
}

function checkMap(value: unknown, folder: string, files: Readonly<Record<string, string>>): string {
  if (typeof value === 'string' && files[posix.join(folder, value)] !== undefined) return value;
  throw fail('FUNCTION_REFUSED', { reason: 'importMap names none of its files' });
}

function readConfig(name: string, text: string): JsonRecord {
  const value = parseJson(withoutComments(text));
  if (isRecord(value)) return value;
  throw fail('FUNCTION_REFUSED', { reason: `${name} is not a JSON object` });
}

/** JSON with comments, and with commas before closing brackets, as JSON. */
export function withoutComments(text: string): string {
  const string = String.raw`("(?:[^"\\]|\\.)*")`;
  const comments = new RegExp(String.raw`${string}|//[^\n]*|/\*[^]*?\*/`, 'g');
  const commas = new RegExp(String.raw`${string}|,(?=\s*[}\]])`, 'g');
  return text.replace(comments, '$1').replace(commas, '$1');
}

function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

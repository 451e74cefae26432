// What the header of a part of a form says of it (RFC 7578). Nothing is guessed: a part whose header cannot be
// read with certainty could be a field that its sender relies on.
import { isUtf8 } from 'node:buffer';

import { fail } from '#libs/errors';
import { decodeComponent } from '#libs/wire';

export interface PartHeader {
  readonly name: string;
  /** As its sender calls the file; undefined for text. Never a path of this machine. */
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
}

/** Header lines by their names in lower case, read as Latin-1. */
export type PartLines = Readonly<Record<string, readonly string[] | undefined>>;

const maxHeaderBytes = 8 * 1024;
const parameterForm =
  /\s*;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\[^])*)"|([^";\s][^;\s]*)?)/y;
const extendedForm = /^utf-8'[^']*'((?:[^%]|%[0-9a-f]{2})*)$/i;

/** Throws MULTIPART_INVALID (400). */
export function readPartHeader(lines: PartLines): PartHeader {
  if (lengthOf(lines) > maxHeaderBytes) {
    throw invalid(`the header of a part is longer than ${maxHeaderBytes} bytes`);
  }
  const [disposition, second] = lines['content-disposition'] ?? [];
  if (disposition === undefined || second !== undefined) {
    throw invalid('each part needs one header Content-Disposition');
  }
  const parameters = parametersOf(disposition);
  const name = parameters.get('name');
  if (name === undefined || name === '') throw invalid('a part has no name');
  const [mediaType] = lines['content-type'] ?? [];
  return { name, fileName: fileNameOf(parameters), mediaType };
}

/** RFC 7578 wants no `filename*`, and some clients send it all the same. */
function fileNameOf(parameters: ReadonlyMap<string, string>): string | undefined {
  const [, encoded] = extendedForm.exec(parameters.get('filename*') ?? '') ?? [];
  if (encoded === undefined) return parameters.get('filename');
  const decoded = decodeComponent(encoded);
  if (decoded === undefined) throw invalid('the name of a file is not UTF-8');
  return decoded;
}

function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const [kind = ''] = disposition.split(';', 1);
  if (kind.trim().toLowerCase() !== 'form-data') throw invalid('a part is not form-data');
  const parameters = new Map<string, string>();
  const rest = disposition.slice(kind.length).trimEnd();
  let at = 0;
  while (at < rest.length) {
    parameterForm.lastIndex = at;
    const [whole, name, quoted, token = ''] = parameterForm.exec(rest) ?? [];
    if (whole === undefined || name === undefined) throw invalid('a Content-Disposition is broken');
    const key = name.toLowerCase();
    if (parameters.has(key)) throw invalid(`a part has the parameter ${key} twice`);
    parameters.set(key, quoted === undefined ? textOf(token) : unquoted(textOf(quoted)));
    at += whole.length;
  }
  return parameters;
}

/** Programs put a backslash before quotes, browsers write them and line ends as `%22`, `%0D`, `%0A`. */
function unquoted(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0d/gi, '\r')
    .replace(/%0a/gi, '\n');
}

function textOf(letters: string): string {
  const bytes = Buffer.from(letters, 'latin1');
  if (!isUtf8(bytes)) throw invalid('a name is not UTF-8');
  return bytes.toString('utf8');
}

function lengthOf(lines: PartLines): number {
  let length = 0;
  for (const [name, values = []] of Object.entries(lines)) {
    for (const value of values) length += name.length + value.length;
  }
  return length;
}

function invalid(reason: string) {
  return fail('MULTIPART_INVALID', { reason });
}

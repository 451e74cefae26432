// The documents about the API of a project. The requests end at the project.
import { queryOptions } from '@tanstack/react-query';

import { sendPlain } from '../../api/client.js';
import { parseJson } from '../../api/json.js';
import { projectPath } from '../../api/place.js';
import { problemOf } from '../../api/problem.js';
import { schemaKey } from '../project/schema.js';

export const documentPath = (ref: string): string =>
  projectPath(ref, '/api/admin/rest/docs/openapi.json');
export const typesPath = (ref: string): string => projectPath(ref, '/api/admin/types');

/** The OpenAPI document of tables and functions. Read again with the schema. `content.read`. */
export const documentQuery = (ref: string) =>
  queryOptions({
    queryKey: [...schemaKey(ref), 'openapi'],
    queryFn: () => read(documentPath(ref)),
    staleTime: 10_000,
  });

/** The types that `rowhouse gen types` writes. Read again with the schema. `content.read`. */
export const typesQuery = (ref: string) =>
  queryOptions({
    queryKey: [...schemaKey(ref), 'types'],
    queryFn: () => read(typesPath(ref)),
    staleTime: 10_000,
  });

/** The text of an answer. Throws Problem for an error. */
async function read(path: string): Promise<string> {
  const response = await sendPlain(path);
  const text = await response.text();
  if (response.ok) return text;
  throw problemOf(response, parseJson(text));
}

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { readRights, restDocument, rightsQuery } from '#libs/rest-docs';
import { createPause, inTurns, jsonText } from '#libs/steps';
import type { Credential } from '#libs/wire';

import type { ClientGone } from '../http/client-gone.js';

/** Of the objects that one step writes: `components.schemas.<name>` and `paths.<path>.<method>`. */
const depthOfParts = 3;

/** The caller of the description of the REST API, and the part to describe. */
export interface DescriptionRequest {
  readonly credential: Credential;
  readonly client: ClientGone;
  /** The schema that `Accept-Profile` names. */
  readonly profile: string | undefined;
  /** Where the routes are. */
  readonly serverUrl: string;
}

/**
 * Returns the JSON of the OpenAPI document of the tables and functions that the caller may use. Their rights are read
 * as the caller's role, in one batch with the lookup of the caller. Throws PGRST106 for a schema that is not exposed.
 */
export async function describeRest(
  project: ProjectRuntime,
  { credential, client, profile, serverUrl }: DescriptionRequest,
): Promise<string> {
  const { maxRows, functionSchemas, definerFunctions } = project.settings.get('api.rest');
  const schema = profile ?? 'public';
  const isExposed = schema === 'public' || functionSchemas.includes(schema);
  if (!isExposed) throw fail('PGRST106', { schema });
  // Functions of `public` compute columns, whatever schema is described.
  const queries = [rightsQuery([...new Set(['public', schema])])];
  const reply = await project.db.runTable({ credential, client, queries, readOnly: true });
  const { catalog } = await project.catalog.reload(reply.schemaVersion);
  const rights = readRights(reply.results[0]?.rows.first(0).toString('utf8') ?? '{}');
  const title = project.record.name;
  const pause = createPause();
  const document = await inTurns(
    restDocument({ title, serverUrl, catalog, rights, schema, maxRows, definerFunctions }),
    pause,
  );
  return inTurns(jsonText(document, depthOfParts), pause);
}

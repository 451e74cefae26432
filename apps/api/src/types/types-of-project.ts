import type { ProjectRuntime } from '#libs/project-runtime';
import { createPause, inTurns } from '#libs/steps';
import { generateTypes } from '#libs/type-generation';

import { readSchemaVersion } from './types.sql.js';

/** The types of the project as its database is now, also when no request has seen the last change yet. */
export async function typesOfProject(project: ProjectRuntime): Promise<string> {
  const schemaVersion = await project.db.runAsEngine(readSchemaVersion);
  const { catalog } = await project.catalog.reload(schemaVersion);
  return inTurns(generateTypes(catalog), createPause());
}

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { canBeId } from './can-be-id.js';

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const maxIdLength = 64;

/** An id from the path. Throws USER_NOT_FOUND for a value that cannot be an id. */
export function requireUserId(project: ProjectRuntime, id: string): string {
  const isPossible = project.record.idType === 'uuid' ? uuid.test(id) : canBeId(id, maxIdLength);
  if (!isPossible) throw fail('USER_NOT_FOUND');
  return id;
}

import type { ProjectRuntime } from '#libs/project-runtime';

import { requireRights, type Uploader, type UploadPlan } from '../core/reservations.js';

/**
 * Asks the policies of a caller once more, now that the size of the file is known: they may have a say about
 * it. Throws 42501 (403), UNAUTHORIZED (401), BUCKET_NOT_FOUND (404).
 */
export async function confirmRights(
  project: ProjectRuntime,
  uploader: Uploader,
  plan: UploadPlan,
): Promise<void> {
  if (uploader.kind === 'caller') await requireRights(project, uploader, plan);
}

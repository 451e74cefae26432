import type { ProjectRuntime } from '#libs/project-runtime';

/** Returns the most bytes that a file of the project may have, where its bucket allows `ofBucket`; null: any number. */
export function maxUploadOf(project: ProjectRuntime, ofBucket: number | null = null): number {
  const { maxUploadBytes } = project.settings.get('storage');
  return Math.min(ofBucket ?? maxUploadBytes, maxUploadBytes);
}

import { requestProject } from './request-project.js';

/** The types of the project at `projectUrl` as a TypeScript file. Throws CommandError. */
export function fetchTypes(projectUrl: URL, secretKey: string): Promise<string> {
  return requestProject(projectUrl, {
    path: 'api/admin/types',
    secretKey,
    accept: 'text/plain',
    what: 'types',
  });
}

// Where the pages run. The console of a deployment has requests forwarded to projects; the studio runs on the host of one
// project, which answers them itself. Every request of the pages to a project passes here.

/** Whether these pages are the studio of a project: the server says so by the base of the document. */
export const isStudio = (): boolean => new URL(document.baseURI).pathname === '/studio/';

/** The parameter `ref` of every address within the studio, whose host names the project. */
export const studioRef = 'studio';

/** The path of a project in the API of the console, with what follows: `projectPath(ref, '/keys')`. */
export const projectPath = (ref: string, rest = ''): string =>
  `/platform/projects/${encodeURIComponent(ref)}${rest}`;

/** The base of the paths of a project's API. */
export function projectBase(ref: string): string {
  return isStudio() ? '' : projectPath(ref);
}

/** A path as the console names it, as the server of these pages names it. */
export function servedPath(path: string): string {
  return isStudio() ? path.replace(/^\/platform\/projects\/[^/]+(?=\/api\/)/, '') : path;
}

/**
 * Asks for the content of a project past its policies, as operators read it: `x-act-as` is the header of administrators
 * for what `x-service-impersonate` is to operators. `path` is already that of the server of these pages.
 */
export function actAsAdministrator(headers: Headers, path: string): void {
  if (!isStudio() || !/^\/api\/(?!admin\/|auth\/)/.test(path)) return;
  headers.set('x-act-as', headers.get('x-service-impersonate') ?? 'service_role');
  headers.delete('x-service-impersonate');
}

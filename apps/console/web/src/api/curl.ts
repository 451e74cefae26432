import { actAsAdministrator, isStudio, servedPath } from './place.js';

/** A request to the API of the console, as a command can repeat it. */
export interface CurlRequest {
  /** GET unless it is given. */
  readonly method?: string;
  /** With its query, from the first slash. */
  readonly path: string;
  readonly body?: object;
  /** Whose rights a read of rows has: those of a visitor (`anon`) or of a user; undefined: those of the caller. */
  readonly viewer?: string | undefined;
}

/**
 * The command for a request. The token is left to a variable, `OPERATOR` or in the studio `ADMIN`: commands are pasted
 * into chats.
 */
export function curlOf({ method = 'GET', path, body, viewer }: CurlRequest): string {
  const served = servedPath(path);
  const headers = new Headers(viewer === undefined ? {} : { 'x-service-impersonate': viewer });
  actAsAdministrator(headers, served);
  const lines = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}${quoted(window.location.origin + served)}`,
    `-H "authorization: Bearer $${isStudio() ? 'ADMIN' : 'OPERATOR'}"`,
    ...[...headers].map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ];
  return lines.join(' \\\n  ');
}

/** One word for the shell, whatever the text contains. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

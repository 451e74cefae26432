// The command that repeats a request. No value of it is known: its path is a pattern, and its credential a variable.
import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { shellWord } from '../api/words.js';
import type { RecentRequest } from './recent.js';

/** The header of each credential. A variable between double quotes is filled in by the shell. */
const headers: Readonly<Record<RecentRequest['credential'], readonly string[]>> = {
  none: ['"apikey: $PUBLISHABLE_KEY"'],
  session: ['"authorization: Bearer $TOKEN"'],
  'api-key': ['"authorization: Bearer $API_KEY"'],
  'third-party': ['"authorization: Bearer $TOKEN"'],
  'secret-key': ['"apikey: $SECRET_KEY"'],
  'impersonated-user': ['"apikey: $SECRET_KEY"', '"x-service-impersonate: $USER_ID"'],
  'impersonated-anon': ['"apikey: $SECRET_KEY"', '"x-service-impersonate: anon"'],
  operator: [],
};

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

interface Place {
  readonly ref: string;
  /** The URL of the project. */
  readonly url: string;
}

/** Undefined for a request whose path matched no route: such a path is not kept. */
export function commandOf(request: RecentRequest, { ref, url }: Place): string | undefined {
  const { method, route, credential } = request;
  if (route === null) return undefined;
  const hasBody = methodsWithBody.has(method);
  // The console forwards what operators ask for.
  if (credential === 'operator')
    return curlOf({ method, path: projectPath(ref, route), ...(hasBody && { body: {} }) });
  return [
    `curl -s ${optionOf(method)}${shellWord(url + route)}`,
    ...headers[credential].map((header) => `-H ${header}`),
    ...(hasBody ? [`-H 'content-type: application/json'`, `-d '{}'`] : []),
  ].join(' \\\n  ');
}

function optionOf(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '-I ' : `-X ${method} `;
}

// The published client, pointed at the project of a test.
import { PostgrestClient } from '@supabase/postgrest-js';

import { send } from '../../support/http.js';
import type { ProjectUnderTest } from '../../support/project.js';

interface Rows {
  Row: Record<string, unknown>;
  Insert: Record<string, unknown>;
  Update: Record<string, unknown>;
  Relationships: [];
}

interface Schema {
  Tables: Record<string, Rows>;
  Views: Record<never, never>;
  Functions: Record<string, { Args: Record<string, unknown>; Returns: unknown }>;
}

/** Any table and any function with any columns: types are not what these tests are about. */
interface Database {
  __InternalSupabase: { PostgrestVersion: '14' };
  public: Schema;
  private: Schema;
  tools: Schema;
}

export interface Visit {
  /** A session token, sent as bearer. */
  readonly token?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Stands between the client and the socket. */
  readonly fetch?: (through: typeof fetch) => typeof fetch;
}

/** A client of the project, configured as applications do: with the schema `public`. */
export function clientOf(project: ProjectUnderTest, visit: Visit = {}) {
  const { token, headers = {}, fetch: wrap = (through) => through } = visit;
  return new PostgrestClient<Database>(`http://${project.host}/rest/v1`, {
    fetch: wrap(overSocket(project)),
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    schema: 'public',
  });
}

export type PublishedClient = ReturnType<typeof clientOf>;

/** A client with the secret key of the project. */
export function serviceClientOf(project: ProjectUnderTest, visit: Visit = {}): PublishedClient {
  return clientOf(project, { ...visit, headers: { apikey: project.secretKey, ...visit.headers } });
}

/** Resolves `<ref>.localhost`, which Node does not by itself, by sending the host name as a header. */
function overSocket(project: ProjectUnderTest): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const reply = await send(project.apiOrigin, {
      method: init?.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
      ...(typeof init?.body === 'string' && { body: init.body }),
      ...(init?.signal && { signal: init.signal }),
    });
    const isEmpty = reply.text === '' || init?.method === 'HEAD';
    return new Response(isEmpty ? null : reply.text, {
      status: reply.status,
      headers: Object.entries(reply.headers).map(([name, value]) => [name, String(value)]),
    });
  };
}

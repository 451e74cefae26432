import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { runWithTransaction } from '@better-auth/core/context';
import { translated } from './refusals.js';

type Endpoints = NonNullable<BetterAuthPlugin['endpoints']>;
type Endpoint = Endpoints[string];

/** What every call of an endpoint brings along. */
export interface EndpointCall {
  readonly context: AuthContext;
  readonly request?: Request;
}

/**
 * The endpoint as one transaction: what it has written when it refuses is taken back, and a failure half-way
 * leaves nothing behind. `finish` runs inside, after the endpoint has done its work.
 */
export function inTransaction(endpoint: Endpoint, finish?: (call: EndpointCall) => void): Endpoint {
  return wrapped(endpoint, (call) =>
    runWithTransaction(call.context.adapter, async () => {
      const answer: unknown = await endpoint(call);
      finish?.(call);
      return answer;
    }),
  );
}

/** The endpoint with its refusals in the platform's words. */
export function inOurWords(endpoint: Endpoint): Endpoint {
  return wrapped(endpoint, async (call) => {
    try {
      const answer: unknown = await endpoint(call);
      return answer;
    } catch (error) {
      throw translated(error);
    }
  });
}

/** Every endpoint through `change`, under the same names. */
export function mapEndpoints(
  endpoints: Endpoints,
  change: (endpoint: Endpoint, name: string) => Endpoint,
): Endpoints {
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [name, change(endpoint, name)]),
  );
}

function wrapped(endpoint: Endpoint, run: (call: EndpointCall) => Promise<unknown>): Endpoint {
  return Object.assign(run, { path: endpoint.path, options: endpoint.options });
}

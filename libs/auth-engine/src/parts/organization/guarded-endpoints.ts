import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { runWithTransaction } from '@better-auth/core/context';
import { type AnyEndpoint, replacing } from '../../endpoint.js';
import { translated } from './refusals.js';

type Endpoints = NonNullable<BetterAuthPlugin['endpoints']>;

/** What every call of an endpoint brings along. */
export interface EndpointCall {
  readonly context: AuthContext;
  readonly request?: Request;
}

/**
 * Returns the endpoint as one transaction: when it refuses, everything that it has written is rolled back. `finish`
 * runs inside, after the endpoint has done its work.
 */
export function inTransaction(
  endpoint: AnyEndpoint,
  finish?: (call: EndpointCall) => void,
): AnyEndpoint {
  return replacing(endpoint, (call: EndpointCall) =>
    runWithTransaction(call.context.adapter, async () => {
      const answer: unknown = await endpoint(call);
      finish?.(call);
      return answer;
    }),
  );
}

/** Returns the endpoint with the errors of the platform in the place of those of the database and the engine. */
export function translating(endpoint: AnyEndpoint): AnyEndpoint {
  return replacing(endpoint, async (call) => {
    try {
      const answer: unknown = await endpoint(call);
      return answer;
    } catch (error) {
      throw translated(error);
    }
  });
}

/** Returns every endpoint changed by `change`, under the same names. */
export function mapEndpoints(
  endpoints: Endpoints,
  change: (endpoint: AnyEndpoint, name: string) => AnyEndpoint,
): Endpoints {
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [name, change(endpoint, name)]),
  );
}

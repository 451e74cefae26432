// How code of ours runs inside the engine. The engine understands only its own errors: it runs its hooks after an
// endpoint that throws one, and answers everything else like a failure. So each endpoint, hook and callback is made
// here, and throws `fail(...)` like the rest of the product.
import type {
  AuthContext,
  BetterAuthPlugin,
  EndpointContext,
  EndpointOptions,
  StrictEndpoint,
} from 'better-auth';
import { APIError, createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { AppError, ERRORS, renderError } from '#libs/errors';
import { isRecord } from '#libs/wire';
import type { Fields } from './fields.js';
import { reportFailure } from './outgoing-messages.js';

/** Makes an endpoint. Its handler gets the body beside the context; undefined when the body is no object. */
export function endpoint<Path extends string, Options extends EndpointOptions, R>(
  path: Path,
  options: Options,
  handler: (
    ctx: EndpointContext<Path, Options, AuthContext>,
    body: Fields | undefined,
  ) => Promise<R>,
): StrictEndpoint<Path, Options, R> {
  return createAuthEndpoint(path, options, (ctx) => refusing(() => handler(ctx, bodyOf(ctx.body))));
}

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Makes the handler of a hook before or after endpoints. It gets the body beside the context, as an endpoint does. */
export function hook<R>(
  handler: (ctx: HookContext, body: Fields | undefined) => Promise<R>,
): ReturnType<typeof createAuthMiddleware> {
  return createAuthMiddleware((ctx) => refusing(() => handler(ctx, bodyOf(ctx.body))));
}

function bodyOf(body: unknown): Fields | undefined {
  return isRecord(body) ? body : undefined;
}

export type AnyEndpoint = NonNullable<BetterAuthPlugin['endpoints']>[string];
export type EndpointCall = Parameters<AnyEndpoint>[0];

/** Returns an endpoint of the engine that does `run` in its place. `run` may call the endpoint. */
export function replacing(
  engineEndpoint: AnyEndpoint,
  run: (call: EndpointCall) => Promise<unknown>,
): AnyEndpoint {
  const replacement = (call: EndpointCall) => refusing(() => run(call));
  return Object.assign(replacement, {
    path: engineEndpoint.path,
    options: engineEndpoint.options,
  });
}

/**
 * Makes a function that the engine calls in the middle of its work, such as a hook of its database. The engine hides
 * every error that is not its own there, so that failures are turned into its errors as well, and are logged here.
 */
export function callback<Arguments extends readonly unknown[], R>(
  work: (...values: Arguments) => Promise<R>,
): (...values: Arguments) => Promise<R> {
  return async (...values) => {
    try {
      return await work(...values);
    } catch (error) {
      if (isFailure(error)) reportFailure(error);
      throw engineError(error);
    }
  };
}

/** Runs `work`; an error of ours becomes one of the engine, and a failure with a cause stays as it is. */
export async function refusing<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw isFailure(error) ? error : engineError(error);
  }
}

/** The cause of a failure is for the log, and an error of the engine carries none. */
function isFailure(error: unknown): error is AppError {
  return error instanceof AppError && error.status >= 500 && error.cause !== undefined;
}

/**
 * Returns the engine's error for one of our table: its status, code, message, details and headers reach the client
 * unchanged. Everything else stays as it is, such as a failure of the database, whose words are not for the client.
 */
function engineError(error: unknown): unknown {
  if (!(error instanceof AppError) || !Object.hasOwn(ERRORS, error.code)) return error;
  const { status, headers, body } = renderError(error, '');
  const { code, message, details, hint } = body;
  return new APIError(undefined, { code, message, details, hint }, { ...headers }, status);
}

// Who calls a function: anybody with a credential of the project, a token for functions, or, where both the deployment
// and the function permit it, everybody.
import type { ResolvedCaller } from '#libs/database';
import { fail } from '#libs/errors';
import type { FoundFunction, FunctionCallerVia, ProjectRuntime } from '#libs/project-runtime';

export const tokenHeader = 'x-service-edge-token';

export interface FunctionCaller {
  readonly resolved: ResolvedCaller;
  readonly via: FunctionCallerVia;
  /** For the record of the call: the id of a user, or how the caller was let in. */
  readonly label: string;
}

/**
 * Returns the caller of a function, whose credential has been looked up. A refused token is no credential. Throws
 * UNAUTHORIZED for callers without one.
 */
export async function requireCaller(
  project: ProjectRuntime,
  found: FoundFunction,
  { resolved, token }: { readonly resolved: ResolvedCaller; readonly token: string | undefined },
): Promise<FunctionCaller> {
  const { caller } = resolved;
  if (caller.via !== 'none') {
    const label = caller.role === 'authenticated' ? caller.user.id : caller.via;
    return { resolved, via: caller.via, label };
  }
  if (token !== undefined && (await project.functions.acceptsToken(token, found.slug))) {
    return { resolved, via: 'token', label: 'token' };
  }
  if (found.isPublic && project.deps.isPublicInvokeEnabled) {
    return { resolved, via: 'none', label: 'anonymous' };
  }
  throw fail('UNAUTHORIZED', {}, { hint: callersHint });
}

const callersHint = `This function takes the session of a user, a key of a user, the secret key, or a token in the header ${tokenHeader}`;

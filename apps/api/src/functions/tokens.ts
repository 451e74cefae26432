// Tokens for programs that invoke functions and have no account, such as the webhooks of a provider. The database holds
// their hashes. A revoked token ends with the next call, because every call looks its token up.
import { randomBytes } from 'node:crypto';

import { fail } from '#libs/errors';
import {
  appendAudit,
  type AuditActor,
  type ProjectRuntime,
  tokenHash,
} from '#libs/project-runtime';
import { isUuid } from '#libs/storage-rules';

import { type FunctionTokenView, insertToken, listTokens, revokeToken } from './tokens.sql.js';

const prefix = 'svc_edge_';
const secretBytes = 32;
const maxTokens = 200;

/** A token when it is made: it is shown this once. */
export interface NewFunctionToken extends FunctionTokenView {
  readonly token: string;
}

export interface FunctionTokenList {
  /** The newest first. */
  readonly tokens: readonly FunctionTokenView[];
}

export function readTokens(project: ProjectRuntime): Promise<FunctionTokenList> {
  return project.db.runAsEngine(async (tx) => ({ tokens: await listTokens(tx) }));
}

/** Throws TOO_MANY_FUNCTIONS. */
export function createToken(
  project: ProjectRuntime,
  actor: AuditActor,
  { name, functions = null }: { readonly name: string; readonly functions?: string[] | null },
): Promise<NewFunctionToken> {
  const token = prefix + randomBytes(secretBytes).toString('base64url');
  return project.db.runAsEngine(async (tx) => {
    if ((await listTokens(tx)).length >= maxTokens) {
      throw fail('TOO_MANY_FUNCTIONS', { limit: maxTokens, kind: 'tokens for functions' });
    }
    const hint = token.slice(-4);
    const made = await insertToken(tx, { name, functions, hint, hash: tokenHash(token) });
    const change = { action: 'functionToken.create', target: made.id };
    await appendAudit(tx, { actor, ...change, before: null, after: { name, functions } });
    return { ...made, token };
  });
}

/** Throws FUNCTION_TOKEN_NOT_FOUND. */
export function removeToken(project: ProjectRuntime, actor: AuditActor, id: string): Promise<void> {
  return project.db.runAsEngine(async (tx) => {
    const revoked = isUuid(id) ? await revokeToken(tx, id) : undefined;
    if (!revoked) throw fail('FUNCTION_TOKEN_NOT_FOUND');
    const { name, functions } = revoked;
    const change = { action: 'functionToken.delete', target: id };
    await appendAudit(tx, { actor, ...change, before: { name, functions }, after: null });
  });
}

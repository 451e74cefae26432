// SSO providers as administrators of the project manage them: every provider, of organizations too. What users
// may do with those of their organizations are routes of the auth engine.
import type { SsoActor, SsoChange, SsoProviders } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

/** Who manages providers, and from where. */
export interface ProviderManager {
  readonly caller: Caller;
  readonly actor: AuditActor;
}

/** Runs `work` with the project's providers, as an administrator whose changes are audited. */
export async function withProviders<T>(
  project: ProjectRuntime,
  manager: ProviderManager,
  work: (providers: SsoProviders, actor: SsoActor) => Promise<T>,
): Promise<T> {
  const auth = await project.auth.acquire();
  try {
    return await work(auth.value.administration.ssoProviders, administrator(manager));
  } finally {
    auth.release();
  }
}

/** Takes the one field that a verification may have. Throws INVALID_INPUT and FIELD_NOT_ALLOWED. */
export function domainIn(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw fail('INVALID_INPUT', { field: 'body', reason: 'must be an object' });
  }
  const { domain, ...others }: { domain?: unknown } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) throw fail('FIELD_NOT_ALLOWED', { field: other });
  if (domain === undefined || typeof domain === 'string') return domain;
  throw fail('INVALID_INPUT', { field: 'domain', reason: 'must be a text' });
}

function administrator({ caller, actor }: ProviderManager): SsoActor {
  return {
    kind: 'administrator',
    ...(caller.role === 'authenticated' && { userId: caller.user.id }),
    note: async (run, change) => {
      const query: Parameters<typeof appendAudit>[0]['query'] = async <Row extends object>(
        text: string,
        values?: readonly unknown[],
      ) => {
        const rows = [...(await run<Row>(text, values))];
        return { rows, rowCount: rows.length };
      };
      await appendAudit({ query }, entryOf(actor, change));
    },
  };
}

function entryOf(actor: AuditActor, { action, providerId, before, after }: SsoChange) {
  return { actor, action: `ssoProvider.${action}`, target: providerId, before, after };
}

// What the credential of a socket may do, looked up live like that of a request.
import type { ProjectDatabase, ResolvedCaller } from '#libs/database';
import type { Callers, Rights } from '#libs/realtime';
import { audienceKey } from '#libs/realtime-core';
import { type Credential, isRecord, isRefused } from '#libs/wire';

/** `now` is in milliseconds since 1970. */
export function liveRights(db: ProjectDatabase, now: () => number): Callers {
  return {
    async findRights(credential) {
      const [resolved, expiresAt] = await Promise.all([
        db.resolveCaller(credential),
        expiryOf(db, credential),
      ]);
      // The signature of another issuer's token was checked when it came; nothing else says that it has ended.
      const hasEnded =
        credential.kind === 'third-party' && expiresAt !== undefined && expiresAt <= now();
      return hasEnded || isRefused(credential) ? undefined : rightsOf(resolved, expiresAt);
    },
  };
}

function rightsOf({ role, claims, caller }: ResolvedCaller, expiresAt: number | undefined): Rights {
  const user = caller.role === 'authenticated' ? caller.user : undefined;
  return {
    role,
    claims,
    subject: user?.id ?? '',
    userId: caller.via === 'third-party' ? undefined : user?.id,
    audience: audienceKey(role, claims),
    expiresAt,
  };
}

/** When a credential ends by itself; undefined if it does not, or is not known. */
async function expiryOf(db: ProjectDatabase, credential: Credential): Promise<number | undefined> {
  switch (credential.kind) {
    case 'session':
      return readExpiry(
        db,
        `select "expiresAt" as at from auth.session
         where "tokenHash" operator(pg_catalog.=) pg_catalog.sha256(pg_catalog.convert_to($1, 'UTF8'))`,
        credential.token,
      );
    case 'api-key':
      return readExpiry(
        db,
        `select "expiresAt" as at from auth.apikey where key operator(pg_catalog.=) $1`,
        credential.keyHash,
      );
    case 'third-party':
      return expiryInClaims(credential.claims);
    case 'none':
    case 'secret-key':
    case 'impersonated-user':
    case 'impersonated-anon':
    case 'operator':
      return undefined;
  }
}

async function readExpiry(
  db: ProjectDatabase,
  text: string,
  value: string,
): Promise<number | undefined> {
  if (value.includes('\0')) return undefined;
  const [row] = await db.queryAsEngine<{ at: Date | null }>(text, [value]);
  return row?.at?.getTime();
}

function expiryInClaims(claims: string): number | undefined {
  const value: unknown = JSON.parse(claims);
  const exp = isRecord(value) ? value['exp'] : undefined;
  return typeof exp === 'number' ? exp * 1000 : undefined;
}

// Signed-in users for the rounds: written as the superuser, since signing up thousands of users would
// measure the password hash.

import { createHmac } from 'node:crypto';
import type { Client } from 'pg';

export const SESSIONS = 20_000;
const TOKEN_PREFIX = 'bench_token_';

export function tokenOf(session: number): string {
  return `${TOKEN_PREFIX}${String(session)}`;
}

function userIdOf(session: number): string {
  return `bench_user_${String(session)}`;
}

/** The token in SQL, for clients that cannot build text: `number` is an SQL expression. */
export function tokenSql(number: string): string {
  return `('${TOKEN_PREFIX}' || ${number})`;
}

export function emailOf(session: number): string {
  return `user${String(session)}@bench.invalid`;
}

/** Writes the users and one live session each, with the life of a session that was just made. */
export async function insertAccounts(client: Client): Promise<void> {
  await client.query(
    `insert into auth."user"
        (id, email, name, "emailVerified", role, status, "createdAt", "updatedAt")
      select 'bench_user_' || n, 'user' || n || '@bench.invalid', 'User ' || n, true, 'USER',
             'active', now(), now()
        from generate_series(1, $1::integer) as n`,
    [SESSIONS],
  );
  await client.query(
    `insert into auth.session
        (id, "tokenHash", "userId", "expiresAt", aal, "createdAt", "updatedAt")
      select 'bench_session_' || n, sha256(convert_to(${tokenSql('n')}, 'UTF8')),
             'bench_user_' || n, now() + interval '7 days', 'aal1', now(), now()
        from generate_series(1, $1::integer) as n`,
    [SESSIONS],
  );
}

/** Gives the first `count` users the same password; `client` is the superuser. */
export async function insertPasswords(
  client: Client,
  passwordHash: string,
  count: number,
): Promise<void> {
  await client.query(
    `insert into auth.account
        (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
      select 'bench_account_' || n, 'bench_user_' || n, 'credential', 'bench_user_' || n, $1,
             now(), now()
        from generate_series(1, $2::integer) as n`,
    [passwordHash, count],
  );
}

/** Takes away the sessions that signing in has made. */
export async function forgetSignIns(client: Client): Promise<void> {
  await client.query(`delete from auth.session where not starts_with(id, 'bench_session_')`);
  await client.query('vacuum (analyze) auth.session');
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The same user as a JWT (HS256), for the peers; good for a day. */
export function jwtOf(session: number, secret: string): string {
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + 86_400;
  const signed = [
    base64url({ alg: 'HS256', typ: 'JWT' }),
    base64url({ sub: userIdOf(session), role: 'authenticated', exp: expiresAtSeconds }),
  ].join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

// Reservations of room in one bucket, in the database alone: all of them change the same row.

import { randomBytes } from 'node:crypto';
import { escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { dropLogin, type Login } from '../database/baseline-login.js';
import { openClient, urlOfLogin } from '../database/connection.js';
import { RESERVE } from './demands.js';
import type { CheckedSeries, StoragePlace } from './place.js';

const BUCKET = 'reserved';
const BYTES = 1000;
const WARM_UP_SECONDS = 1;

// As a presigned upload reserves: it is on the disk before it is answered.
const RESERVE_SQL = `select storage.reserve_upload(gen_random_uuid(), '${BUCKET}', $1,
  gen_random_uuid(), 's3', 'presign', $2, 'text/plain', 'private', null, false,
  now() + interval '1 hour') as outcome`;

/** Makes a login with the rights of the platform; `client` is a superuser in the measured database. */
async function createEngineLogin(client: Client): Promise<Login> {
  const login = {
    user: `bench_${randomBytes(4).toString('hex')}`,
    password: randomBytes(18).toString('base64url'),
  };
  const role = escapeIdentifier(login.user);
  await client.query(`
    create role ${role} login password ${escapeLiteral(login.password)} in role platform_engine;
    do $$ begin
      execute format('grant connect on database %I to ${role}', current_database());
    end $$;
  `);
  return login;
}

/** An empty bucket without reservations. */
async function resetBucket(client: Client, quotaBytes: number | null): Promise<void> {
  await client.query(`delete from storage.uploads where bucket = '${BUCKET}'`);
  await client.query(
    `insert into storage.buckets (slug, name, quota_bytes) values ('${BUCKET}', 'Reserved', $1)
     on conflict (slug) do update set reserved_bytes = 0, quota_bytes = excluded.quota_bytes`,
    [quotaBytes],
  );
  await client.query('vacuum (analyze) storage.buckets, storage.uploads');
}

async function reservedBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ reserved: string }>(
    `select reserved_bytes as reserved from storage.buckets where slug = '${BUCKET}'`,
  );
  return Number(rows[0]?.reserved);
}

let keys = 0;

async function reserve(client: Client): Promise<string> {
  keys += 1;
  const { rows } = await client.query<{ outcome: string }>({
    name: 'reserve',
    text: RESERVE_SQL,
    values: [`key-${String(keys)}`, BYTES],
  });
  return rows[0]?.outcome ?? 'nothing';
}

/** Keeps every connection reserving for the time; gives how many reservations there were. */
async function reserveDuring(clients: readonly Client[], seconds: number): Promise<number> {
  const endsAt = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    clients.map(async (client) => {
      let count = 0;
      // One after another: a connection waits for its answer before it asks again.
      for (; performance.now() < endsAt; count += 1) {
        const outcome = await reserve(client);
        if (outcome !== 'reserved') throw new Error(`A reservation ended with ${outcome}`);
      }
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Why the quota does not hold when all connections ask for its last bytes; undefined when it does. */
async function faultOfQuota(
  superuser: Client,
  clients: readonly Client[],
): Promise<string | undefined> {
  const fitting = Math.floor(clients.length / 2);
  await resetBucket(superuser, fitting * BYTES);
  const outcomes = await Promise.all(clients.map(reserve));
  const granted = outcomes.filter((outcome) => outcome === 'reserved').length;
  const refused = outcomes.filter((outcome) => outcome === 'quota_exceeded').length;
  const bytes = await reservedBytes(superuser);
  const isRight = granted === fitting && granted + refused === clients.length;
  if (isRight && bytes === fitting * BYTES) return undefined;
  return `of ${String(clients.length)} reservations ${String(granted)} were granted, not ${String(fitting)}`;
}

export async function openReservations(place: StoragePlace): Promise<CheckedSeries[]> {
  const { site, cleanup, by } = place;
  const superuser = site.client;
  const login = cleanup.keep(await createEngineLogin(superuser), (made) =>
    dropLogin(superuser, made),
  );
  const url = urlOfLogin(site.address, login);
  const opened = await Promise.all(
    Array.from({ length: RESERVE.connections }, () => openClient(url)),
  );
  const clients = opened.map((client) => cleanup.keep(client, (one) => one.end()));
  return [
    {
      key: RESERVE,
      faultOf: () => faultOfQuota(superuser, clients),
      async measure() {
        await resetBucket(superuser, null);
        const warm = await reserveDuring(clients, WARM_UP_SECONDS);
        const startedAt = performance.now();
        const count = await reserveDuring(clients, by.seconds);
        const seconds = (performance.now() - startedAt) / 1000;
        const bytes = await reservedBytes(superuser);
        if (bytes !== (warm + count) * BYTES) {
          throw new Error(`${String(warm + count)} reservations hold ${String(bytes)} bytes`);
        }
        return { perSecond: count / seconds };
      },
    },
  ];
}

// What the screen reads and changes. All of it needs `secrets.manage`.
import { queryOptions } from '@tanstack/react-query';

import { answer, api, projectApi, type ProjectSchemas, type Schemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';
import { keysQuery } from '../project/queries.js';

export type Key = Schemas['KeyView'];
export type KeyKind = Key['kind'];
export type SigningKeys = ProjectSchemas['SigningKeys'];

export const liveKeysQuery = (ref: string) => ({ ...keysQuery(ref), refetchInterval: refreshMs });

/** Whether requests without a key are refused. */
export const enforcementQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'keys-enforced'],
    queryFn: async () => {
      const params = { path: { group: 'security.keys' } };
      const group = await answer(
        projectApi(ref).GET('/api/admin/settings/{group}/sources', { params }),
      );
      return group.values['enforced'] === true;
    },
    refetchInterval: refreshMs,
    retry: false,
  });

export const signingKeysQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'signing-keys'],
    queryFn: () => answer(projectApi(ref).GET('/api/admin/auth/keys')),
    refetchInterval: refreshMs,
    retry: false,
  });

/** Makes a key beside the others; no other answer has its text. */
export async function makeKey(ref: string, kind: KeyKind): Promise<string> {
  const params = { path: { ref } };
  const { key } = await answer(
    api.POST('/platform/projects/{ref}/keys', { params, body: { kind } }),
  );
  return key;
}

/** Makes a key and ends the others of its kind after some seconds; 0: at once. */
export async function rotateKeys(
  ref: string,
  kind: KeyKind,
  expiresInSeconds: number,
): Promise<string> {
  const body = { kind, expiresInSeconds };
  const { key } = await answer(
    api.POST('/platform/projects/{ref}/keys/rotate', { params: { path: { ref } }, body }),
  );
  return key;
}

export async function revokeKey(ref: string, id: string): Promise<void> {
  const params = { path: { ref, id } };
  await answer(api.DELETE('/platform/projects/{ref}/keys/{id}', { params }));
}

export const rotateSigningKey = (ref: string, graceDays: number) =>
  answer(projectApi(ref).POST('/api/admin/auth/keys/rotate', { body: { graceDays } }));

/** Gives the owner of the database another password, and returns the connection string with it. */
export async function renewDatabasePassword(ref: string): Promise<string> {
  const params = { path: { ref } };
  const { databaseUrl } = await answer(
    api.POST('/platform/projects/{ref}/database/password', { params }),
  );
  return databaseUrl;
}

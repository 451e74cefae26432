import type { Adapter, AdapterFactory, AdapterPayload, ClientMetadata } from 'oidc-provider';

/**
 * Where an identity provider keeps its sessions and codes: in memory, outlasting the provider object, which
 * is built again when its keys change. Clients are looked up in `clients` each time, so they can be added.
 */
export function memoryStorage(clients: ReadonlyMap<string, ClientMetadata>): AdapterFactory {
  const rows = new Map<string, AdapterPayload>();
  return (kind): Adapter => {
    const keyOf = (id: string): string => `${kind}:${id}`;
    const findRow = (matches: (row: AdapterPayload) => boolean) =>
      Promise.resolve(
        [...rows].find(([key, row]) => key.startsWith(`${kind}:`) && matches(row))?.[1],
      );
    return {
      upsert(id, payload) {
        rows.set(keyOf(id), payload);
        return Promise.resolve();
      },
      find: (id) => Promise.resolve(kind === 'Client' ? clients.get(id) : rows.get(keyOf(id))),
      findByUid: (uid) => findRow((row) => row.uid === uid),
      findByUserCode: (code) => findRow((row) => row.userCode === code),
      consume(id) {
        const row = rows.get(keyOf(id));
        if (row) row.consumed = Math.floor(Date.now() / 1000);
        return Promise.resolve();
      },
      destroy(id) {
        rows.delete(keyOf(id));
        return Promise.resolve();
      },
      revokeByGrantId(grantId) {
        for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
        return Promise.resolve();
      },
    };
  };
}

import type { Client, Connection } from 'pg';

/** Begins a statement and does nothing more. Resolves to the error that ends it. */
export function beginOnly(client: Client, text: string): Promise<string> {
  return new Promise((resolve) => {
    client.query({
      submit: (connection: Connection) => connection.query(text),
      handleCopyInResponse: () => undefined,
      handleRowDescription: () => undefined,
      handleReadyForQuery: () => undefined,
      handleError: (error: Error) => resolve(String(error)),
    });
  });
}

/** Where signals travel and jobs wait. */
export type JobStore =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'redis'; readonly url: string };

/** The connection of BullMQ to PostgreSQL: everything lies in one schema, which it makes and upgrades itself. */
export function postgresConnection(url: string, max: number) {
  return { connectionString: url, schema: 'jobs', max, migrate: true };
}

/** What the routes of storage answer with (spec: Envelopes and shared shapes). */
export interface DataEnvelope<T> {
  readonly status: 1;
  readonly message: 'OK';
  readonly data: T;
}

/** A page of a list. */
export interface PageEnvelope<T> extends DataEnvelope<readonly T[]> {
  /** How many there are on all pages. */
  readonly total: number;
}

/** The value in its envelope. */
export const ok = <T>(data: T): DataEnvelope<T> => ({ status: 1, message: 'OK', data });

/** The values of a page in their envelope. */
export const page = <T>(data: readonly T[], total: number): PageEnvelope<T> => ({
  ...ok(data),
  total,
});

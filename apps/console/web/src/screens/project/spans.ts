/** The times that figures of usage can cover. */
export const spans = ['hour', 'day', 'month'] as const;
export type Span = (typeof spans)[number];

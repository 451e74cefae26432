import { isRecord } from '#libs/wire';

/** Returns the message of an error, with the reason in its details; `otherwise` for another value. */
export function describeFailure(thrown: unknown, otherwise: string): string {
  if (!(thrown instanceof Error)) return otherwise;
  const details = 'details' in thrown && isRecord(thrown.details) ? thrown.details : undefined;
  const reason = details?.['reason'];
  return typeof reason === 'string' ? `${thrown.message}: ${reason}` : thrown.message;
}

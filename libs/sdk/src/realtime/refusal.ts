import { RowhouseError } from '../error.js';
import type { Refusal } from './ports.js';

/** Errors of a join that a further attempt does not change: the config or the rights have to. */
const lastingCodes =
  /^(?:INVALID_FRAME|FILTER_TOO_SLOW|TOO_MANY_BINDINGS|CHANNEL_REFUSED|POLICY_READS_MESSAGE|TABLE_NOT_EXPOSED|PGRST\w+|(?:22|42)\w{3})$/;

/** The connection has ended, or could not be opened, and the server has not said why. */
const lost = 'CONNECTION_LOST';

export function errorOf({ code, message, status, details, hint }: Refusal): RowhouseError {
  // Frames have the text `error` as status; the HTTP status is only in errors of connections.
  const httpStatus = typeof status === 'number' ? status : 0;
  return new RowhouseError(message, { status: httpStatus, code, details, hint });
}

export function lostConnection(reason: string): Refusal {
  return { code: lost, message: `No connection to the project: ${reason}` };
}

/** Whether a join is pointless until rights or config change. */
export function isLasting({ code }: RowhouseError): boolean {
  return lastingCodes.test(code);
}

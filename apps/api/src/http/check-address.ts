import { AppError } from '#libs/errors';
import type { Outbound } from '#libs/outbound';

/**
 * Throws OUTBOUND_REFUSED for an address that may not be called, as far as its text says; what a name leads to
 * is looked at with each call. A call that is given up before it begins is refused, or says that it was given up.
 */
export async function checkAddress(outbound: Outbound, url: string): Promise<void> {
  try {
    await outbound({ url, method: 'POST', signal: AbortSignal.abort() });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'REQUEST_ABORTED') throw error;
  }
}

import { fail } from '#libs/errors';

/** A body as it was sent and as it was understood. */
export interface SentBody {
  readonly text: string;
  readonly value: unknown;
}

/**
 * The body of a request, which must be JSON unless the route takes forms too: a form could be sent by any
 * web page. Throws UNSUPPORTED_MEDIA_TYPE, INVALID_JSON.
 */
export async function readBody(
  request: Request,
  kind: 'json' | 'form',
): Promise<SentBody | undefined> {
  const text = request.body === null ? '' : await request.text();
  if (text === '') return undefined;
  const type = request.headers.get('content-type') ?? '';
  if (kind === 'form' && /^application\/x-www-form-urlencoded *(;|$)/i.test(type)) {
    return { text, value: Object.fromEntries(new URLSearchParams(text)) };
  }
  if (!/^application\/json *(;|$)/i.test(type)) throw fail('UNSUPPORTED_MEDIA_TYPE', { type });
  try {
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw fail('INVALID_JSON', {}, { cause: error });
  }
}

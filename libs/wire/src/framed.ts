type Headers = NodeJS.Dict<number | string | string[]>;

/**
 * The headers of a request that is passed on, with what ends its body (RFC 9112 §6.3). Node.js adds nothing to GET, HEAD,
 * DELETE and OPTIONS: their body would be read as the next request of the connection, which may be another client's.
 */
export function framed(headers: Headers, hasBody: boolean): Headers {
  const { 'content-length': length, ...rest } = headers;
  if (!hasBody) return rest;
  return length === undefined ? { ...rest, 'transfer-encoding': 'chunked' } : headers;
}

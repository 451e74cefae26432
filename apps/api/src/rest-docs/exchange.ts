// The input that the documentation routes read from requests, and their answers.
import type { FastifyReply, FastifyRequest } from 'fastify';

const openApiType = 'application/openapi+json';

/** The schema that the request names, if it does. */
export function profileOf({ headers }: FastifyRequest): string | undefined {
  const profile = [headers['accept-profile'] ?? []].flat().join(', ').trim();
  return profile === '' ? undefined : profile;
}

/** Answers with the document under its own media type when the request names it, else as plain JSON. */
export function sendDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  document: string,
): void {
  const isNamed = headers.accept?.toLowerCase().includes(openApiType) ?? false;
  reply
    .header('content-type', `${isNamed ? openApiType : 'application/json'}; charset=utf-8`)
    // It depends on who asks, and on rights that may change at any time.
    .header('cache-control', 'no-store')
    .send(document);
}

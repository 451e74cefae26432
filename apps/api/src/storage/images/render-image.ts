// A request for an image: parses it, finds the source, checks the client's copy, makes the variant and answers.
import { type AppError, fail } from '#libs/errors';
import type { Variant } from '#libs/image-transform';
import { chooseFormat, ownFormat, parseImageRequest, type Transform } from '#libs/storage-rules';

import { mayReadSettings } from '../../http/may-read-settings.js';
import { type RequestScope, scopeOf } from '../../http/request-scope.js';
import type { StoredFile } from '../core/stored-file.js';
import { findLinkedFile, imagePath, readImageLink } from '../files/links.js';
import { answerUnchanged, type ImageExchange, imageOf, sendImage } from './answer-image.js';
import { fetchSource } from './fetch-source.js';
import { findImage } from './find-image.js';

/**
 * Answers with the image that the decoded query asks for. Throws UNKNOWN_FIELD and INVALID_INPUT (400), NOT_FOUND
 * (404) where images are turned off, IMAGE_NOT_SUPPORTED (415), IMAGE_TOO_LARGE (413), and what finding, making and
 * sending the image throw.
 */
export async function renderImage(
  exchange: ImageExchange,
  query: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { request } = exchange;
  const { lease, credential, client } = scopeOf(request);
  const project = lease.value;
  const { enabled, maxSourceBytes } = project.settings.get('storage').images;
  if (!enabled) throw await switchedOff(scopeOf(request));
  const link = readImageLink(query);
  const { source, transform } = parseImageRequest(link ? withoutLink(query) : query);
  const { headers } = request;
  const file = link
    ? await findLinkedFile(project, source.kind === 'id' ? source.id : '', link)
    : await findImage(project, { credential, client, headers }, source);
  const { variant, isNegotiated } = chooseVariant(file, transform, headers.accept);
  if (file.size > maxSourceBytes) {
    throw fail('IMAGE_TOO_LARGE', { reason: `its file has more than ${maxSourceBytes} bytes` });
  }
  const image = imageOf(file, { variant, isNegotiated });
  if (answerUnchanged(exchange, image)) return;
  const fetch = (signal: AbortSignal) => fetchSource(project, file, signal);
  const bytes = await project.files.readKept(image.name, () =>
    project.files.images.get({ variant, fetch, signal: client.signal }),
  );
  sendImage(exchange, image, bytes);
}

async function switchedOff(scope: RequestScope): Promise<AppError> {
  const hint = 'The settings turn this route off. It needs storage.images.enabled';
  const extras = (await mayReadSettings(scope)) ? { hint } : {};
  return fail('NOT_FOUND', { path: imagePath }, extras);
}

function withoutLink(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { exp: _exp, kid: _kid, sig: _sig, ...rest } = query;
  return rest;
}

/** The variant to be made, and whether the client's header Accept has a say in it. */
function chooseVariant(
  { mediaType, version }: StoredFile,
  transform: Transform,
  accept: string | undefined,
): { readonly variant: Variant; readonly isNegotiated: boolean } {
  const own = ownFormat(mediaType);
  if (own === undefined) throw fail('IMAGE_NOT_SUPPORTED');
  const format = chooseFormat(transform.format, own, accept);
  const isNegotiated = transform.format === undefined && own !== 'webp';
  return { variant: { version, transform, format }, isNegotiated };
}

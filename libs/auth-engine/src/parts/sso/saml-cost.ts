import { createHash } from 'node:crypto';
import type { SamlConfig } from './provider.js';
import { SamlMeter } from './saml-meter.js';
import type { SamlDocument } from './saml-rehearsal.js';
import { xmlExcess } from './xml-size.js';

/**
 * Of the processor, for all that is done with one response. On a busy machine the same work takes up to twice the time
 * of the event loop at rest, and people with the usual responses must come in there as well.
 */
const maxResponseMs = 100;
/** Metadata are read several times by one request, and with each response as well. */
const maxMetadataMs = 30;
/** More are refused before anything is measured. */
const maxResponseTags = 400;
const maxMetadataTags = 1_000;
const maxRemembered = 1_000;
const tooLong = 'it takes too long to read';

/** The thread of this process that reads documents of SAML before the event loop does. */
export const samlMeter = new SamlMeter();

/** Digests of metadata that were found cheap: each sign-in reads the same ones. */
const cheapMetadata = new Set<string>();

/** Returns why a response would hold the event loop for too long, undefined when it would not. Throws PROJECT_BUSY. */
export async function responseExcess(
  xml: string,
  document: Required<SamlDocument>,
): Promise<string | undefined> {
  const excess = xmlExcess(xml, maxResponseTags);
  if (excess !== undefined) return excess;
  const found = await samlMeter.measure({ document, enoughMs: maxResponseMs });
  return found === undefined || found.ms > maxResponseMs ? tooLong : undefined;
}

/**
 * Returns why the metadata of an identity provider would hold the event loop for too long, undefined when they would
 * not. Metadata that were stored before there was a limit are refused as well. Throws PROJECT_BUSY.
 */
export async function metadataExcess(config: SamlConfig): Promise<string | undefined> {
  const { metadata } = config.idpMetadata;
  if (metadata === undefined) return undefined;
  const excess = xmlExcess(metadata, maxMetadataTags);
  if (excess !== undefined) return excess;
  const digest = createHash('sha256').update(metadata).digest('base64');
  if (cheapMetadata.has(digest)) return undefined;
  const document = { config, baseUrl: '', providerId: '' };
  const found = await samlMeter.measure({ document, enoughMs: maxMetadataMs });
  if (found === undefined || found.ms > maxMetadataMs) return tooLong;
  if (cheapMetadata.size >= maxRemembered) cheapMetadata.clear();
  cheapMetadata.add(digest);
  return undefined;
}

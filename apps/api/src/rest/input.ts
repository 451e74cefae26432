// Stage one: what a request asks for. Long bodies are read in turns of the event loop, once, also when the request is
// compiled again for another catalog.
import { type BatchText, type Body, hasBody, readBody, type RestInput } from '#libs/rest-query';
import { createPause, inTurns } from '#libs/steps';

/** A request on a table or a function, or several writes, as text. */
export type RestText =
  | { readonly kind: 'request'; readonly input: RestInput }
  | { readonly kind: 'batch'; readonly text: BatchText };

/** The text with its body read. The operations of a batch are read when they are compiled. */
export type ReadText =
  | { readonly kind: 'request'; readonly input: RestInput; readonly body: Body | undefined }
  | { readonly kind: 'batch'; readonly text: BatchText };

/** Throws PGRST102, UNSUPPORTED_MEDIA_TYPE. */
export async function readInput(text: RestText): Promise<ReadText> {
  if (text.kind === 'batch') return text;
  const { input } = text;
  const body = hasBody(input) ? await inTurns(readBody(input), createPause()) : undefined;
  return { kind: 'request', input, body };
}

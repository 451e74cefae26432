// Makes one image from another. The source is untrusted: its pixels, time and formats are limited before anything is
// decoded, and the result carries pixels only, none of the text, locations and profiles of the source.
import type { Sharp as Pipeline } from 'sharp';

import { fail } from '#libs/errors';
import type { ImageFormat, Transform } from '#libs/storage-rules';

import { imageError, maxMegapixels } from './image-errors.js';
import { loadSharp, type Sharp } from './load-sharp.js';

const timeoutSeconds = 5;
/** More effort costs much more time than it saves bytes: measured on 400 x 300 pixels. */
const webpEffort = 3;
const avifEffort = 3;

export interface TransformedImage {
  readonly bytes: Buffer;
  /** In pixels, as the height. */
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the image in another size and format. `cover` fills the size and crops the rest, `contain` fits into it,
 * `fill` stretches; none makes an image larger than its source. Of an animation only the first picture is used, and a
 * picture is rotated as its camera has marked it. Throws IMAGE_INVALID (400), IMAGE_NOT_SUPPORTED (415),
 * IMAGE_TOO_LARGE (413: more than 50 million pixels) and IMAGE_TIMEOUT (422: more than 5 s).
 */
export async function transformImage(
  source: Buffer,
  transform: Transform,
  format: ImageFormat,
): Promise<TransformedImage> {
  if (source.length === 0) throw fail('IMAGE_INVALID', { reason: 'it is empty' });
  const pipeline = buildPipeline(await loadSharp(), source, transform);
  const encoded = encode(pipeline, format, transform.quality);
  try {
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (error) {
    throw imageError(error);
  }
}

function buildPipeline(sharp: Sharp, source: Buffer, transform: Transform): Pipeline {
  const pipeline = sharp(source, {
    limitInputPixels: maxMegapixels * 1e6,
    sequentialRead: true,
    failOn: 'error',
    pages: 1,
    autoOrient: true,
  }).timeout({ seconds: timeoutSeconds });
  const { width, height } = transform;
  if (width === undefined && height === undefined) return pipeline;
  return pipeline.resize({
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    fit: fitOf(transform),
    withoutEnlargement: true,
  });
}

/** If only one side is given, the other follows from it, whatever `resize` says. */
function fitOf({ width, height, resize }: Transform): 'cover' | 'inside' | 'fill' {
  if (width === undefined || height === undefined) return 'cover';
  return resize === 'contain' ? 'inside' : resize;
}

function encode(pipeline: Pipeline, format: ImageFormat, quality: number): Pipeline {
  switch (format) {
    case 'webp':
      return pipeline.webp({ quality, effort: webpEffort });
    case 'avif':
      return pipeline.avif({ quality, effort: avifEffort });
    case 'jpeg':
      // The format has no transparency.
      return pipeline.flatten({ background: '#ffffff' }).jpeg({ quality });
    case 'png':
      return pipeline.png();
  }
}

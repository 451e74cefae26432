// One image out of another. The source is anybody's bytes: pixels, time and formats are bounded before anything
// of it is decoded, and what comes out carries pixels alone, none of the text, places and profiles of the source.
import type { Sharp as Pipeline } from 'sharp';

import { fail } from '#libs/errors';
import type { ImageFormat, Transform } from '#libs/storage-rules';

import { imageError, maxMegapixels } from './image-errors.js';
import { loadSharp, type Sharp } from './load-sharp.js';

const timeoutSeconds = 5;
/** From here on a smaller file costs much more time than it saves: measured on 400 x 300 pixels. */
const webpEffort = 3;
const avifEffort = 3;

export interface TransformedImage {
  readonly bytes: Buffer;
  /** In pixels, as the height. */
  readonly width: number;
  readonly height: number;
}

/**
 * The image in another size and format. `cover` fills the asked size and cuts what stands out, `contain` fits into
 * it, `fill` stretches; none makes an image larger than its source. Of an animation only the first picture counts,
 * and a picture that its camera has marked as turned is turned. Throws IMAGE_INVALID (400), IMAGE_NOT_SUPPORTED
 * (415), IMAGE_TOO_LARGE (413: more than 50 million pixels) and IMAGE_TIMEOUT (422: more than 5 s).
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

/** A single side leaves the other to follow, whatever `resize` says. */
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
      // The format knows no transparency.
      return pipeline.flatten({ background: '#ffffff' }).jpeg({ quality });
    case 'png':
      return pipeline.png();
  }
}

export { parseBucketSlug } from './bucket-slug.js';
export {
  type ConditionalAnswer,
  type ConditionalHeaders,
  type ConditionalRequest,
  type CurrentObject,
  evaluateConditions,
} from './conditions.js';
export { checkContent } from './content-check.js';
export { type ChecksumHeaders, expectedSha256 } from './digest.js';
export { IMAGE_LOADERS, imageFileName, type ImageFormat } from './image-formats.js';
export { matchesMediaTypes, parseMediaType, parseMediaTypePattern } from './media-type.js';
export { isUuid, parseKeyPrefix, parseObjectKey } from './object-key.js';
export { contentRange } from './ranges.js';
export {
  type AskedDisposition,
  entityTag,
  notModifiedHeaders,
  parseCacheControl,
  type ServedObject,
  servedHeaders,
} from './served-headers.js';
export { sniffedBytes, sniffMediaType } from './sniff.js';
export {
  chooseFormat,
  type ImageRequest,
  type ImageSource,
  ownFormat,
  parseImageRequest,
  type Transform,
  transformQuery,
  variantText,
} from './transform.js';
export { parseUserMetadata } from './user-metadata.js';

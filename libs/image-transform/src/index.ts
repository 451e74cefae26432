export { ImageQueue } from './image-queue.js';
export {
  type ImageVariants,
  openImageVariants,
  type Variant,
  variantName,
} from './image-variants.js';

// The images of one project that are derived from other images. An existing variant is read from its folder; if several
// requests want the same new variant, it is made once.
import { createHash } from 'node:crypto';

import { fail } from '#libs/errors';
import { type ImageFormat, type Transform, variantText } from '#libs/storage-rules';

import type { ImageQueue, ImageShare } from './image-queue.js';
import { transformImage } from './transform-image.js';
import { VariantFolder, type VariantFolderOptions } from './variant-folder.js';

/** Part of every name. Raise it to make images again that an older release made differently. */
const edition = 1;

/** The requested image. */
export interface Variant {
  /** Version of the source; identifies its bytes. */
  readonly version: string;
  readonly transform: Transform;
  readonly format: ImageFormat;
}

export interface VariantRequest {
  readonly variant: Variant;
  /** Fetches the bytes of the source. Called when it is this request's turn; must stop when the signal aborts. */
  readonly fetch: (signal: AbortSignal) => Promise<Buffer>;
  /** Aborted when no request waits for the image any more. */
  readonly signal: AbortSignal;
}

export interface ImageVariantsOptions extends VariantFolderOptions {
  readonly queue: ImageQueue;
}

/** An image that is being read or made. */
interface Making {
  readonly image: Promise<Buffer>;
  /** Aborts the waiting and the fetching. */
  readonly ending: AbortController;
  /** How many requests wait for it. */
  waiting: number;
  isDone: boolean;
}

/** Opens the variants in a folder. Reads nothing before the first request. */
export function openImageVariants(options: ImageVariantsOptions): ImageVariants {
  return new ImageVariants(options);
}

/** The name of a variant: 64 hexadecimal digits. */
export function variantName({ version, transform, format }: Variant): string {
  const text = `${edition}\n${version}\n${variantText(transform, format)}`;
  return createHash('sha256').update(text).digest('hex');
}

export class ImageVariants {
  readonly #folder: VariantFolder;
  readonly #share: ImageShare;
  /** By variant name. */
  readonly #making = new Map<string, Making>();
  /** Settles when the work that was begun has ended, whether or not a request still waits for it. */
  readonly #ends = new Set<Promise<void>>();

  constructor(options: ImageVariantsOptions) {
    this.#folder = new VariantFolder(options);
    this.#share = options.queue.openShare();
  }

  /**
   * Returns the bytes of the variant. Throws the errors of `fetch`, IMAGE_INVALID (400), IMAGE_NOT_SUPPORTED (415),
   * IMAGE_TOO_LARGE (413), IMAGE_TIMEOUT (422), IMAGE_BUSY (429) and REQUEST_ABORTED (499).
   */
  async get(request: VariantRequest): Promise<Buffer> {
    const name = variantName(request.variant);
    const making = this.#making.get(name) ?? this.#begin(name, request);
    making.waiting += 1;
    try {
      return await unlessAborted(making.image, request.signal);
    } finally {
      making.waiting -= 1;
      if (making.waiting === 0 && !making.isDone) {
        // A new request must not join work that is about to fail.
        this.#forget(name, making);
        making.ending.abort();
      }
    }
  }

  /** Resolves when all work that was begun has ended and its results are stored. */
  async close(): Promise<void> {
    await Promise.all(this.#ends);
  }

  /** Starts making the image. Requests that come before it is in its folder join it. */
  #begin(name: string, request: VariantRequest): Making {
    const ending = new AbortController();
    const work = this.#readOrMake(name, request, ending.signal);
    const image = work.then(({ bytes }) => bytes);
    const making = { image, ending, waiting: 0, isDone: false };
    this.#making.set(name, making);
    const end = work
      .finally(() => (making.isDone = true))
      .then(
        ({ bytes, isNew }) => (isNew ? this.#folder.write(name, bytes) : undefined),
        // The waiting requests receive the error.
        () => undefined,
      )
      .then(() => {
        this.#forget(name, making);
        this.#ends.delete(end);
      });
    this.#ends.add(end);
    return making;
  }

  #forget(name: string, making: Making): void {
    if (this.#making.get(name) === making) this.#making.delete(name);
  }

  async #readOrMake(
    name: string,
    { variant, fetch }: VariantRequest,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Buffer; readonly isNew: boolean }> {
    const kept = await this.#folder.read(name);
    if (kept) return { bytes: kept, isNew: false };
    const make = (source: Buffer) => transformImage(source, variant.transform, variant.format);
    const { bytes } = await this.#share.run({ fetch, make, signal });
    return { bytes, isNew: true };
  }
}

/** Returns the value, unless the signal aborts first: REQUEST_ABORTED (499). */
async function unlessAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw fail('REQUEST_ABORTED');
  let giveUp = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(fail('REQUEST_ABORTED'));
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

// THE table of images that can be made into others. A file in another format is served as it is.

/** The formats that an image can be made into. */
export const IMAGE_FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

interface SourceFormat {
  readonly mediaType: string;
  /** The operation of libvips that decodes it. */
  readonly loader: string;
  /** Of the names of files. A new image of the format gets the first. */
  readonly extensions: readonly [string, ...string[]];
  /** What it becomes where its own format is wanted. */
  readonly becomes: ImageFormat;
}

const SOURCES = {
  avif: {
    mediaType: 'image/avif',
    loader: 'VipsForeignLoadHeif',
    extensions: ['avif'],
    becomes: 'avif',
  },
  gif: {
    mediaType: 'image/gif',
    loader: 'VipsForeignLoadNsgif',
    extensions: ['gif'],
    becomes: 'png',
  },
  jpeg: {
    mediaType: 'image/jpeg',
    loader: 'VipsForeignLoadJpeg',
    extensions: ['jpg', 'jpeg', 'jfif'],
    becomes: 'jpeg',
  },
  png: {
    mediaType: 'image/png',
    loader: 'VipsForeignLoadPng',
    extensions: ['png'],
    becomes: 'png',
  },
  webp: {
    mediaType: 'image/webp',
    loader: 'VipsForeignLoadWebp',
    extensions: ['webp'],
    becomes: 'webp',
  },
} as const satisfies Readonly<Record<ImageFormat | 'gif', SourceFormat>>;

const sources: readonly SourceFormat[] = Object.values(SOURCES);
const formatByType = new Map(sources.map(({ mediaType, becomes }) => [mediaType, becomes]));
const extensions = sources.flatMap((source) => source.extensions);
const imageExtension = new RegExp(`(?<=.)\\.(?:${extensions.join('|')})$`, 'i');

/** The operations of libvips that decode the images of the table. */
export const IMAGE_LOADERS: readonly string[] = sources.map(({ loader }) => loader);

/** Returns what an image of a canonical media type becomes in its own format; undefined for other types. */
export function formatOfType(mediaType: string): ImageFormat | undefined {
  return formatByType.get(mediaType);
}

/** Returns the name of a file with the extension of the format, in place of that of another image. */
export function imageFileName(name: string, format: ImageFormat): string {
  return `${name.replace(imageExtension, '')}.${SOURCES[format].extensions[0]}`;
}

// What is shown of a file. The page makes content of projects visible as pixels, sound and text alone: nothing of it
// becomes part of the document, and no type is given to the browser that is not in the tables here.

export type PreviewKind = 'image' | 'pdf' | 'video' | 'audio' | 'json' | 'text' | 'none';

/** The most bytes that are read to show a file; of a text, its beginning. */
export const maxPreviewBytes: Readonly<Record<Exclude<PreviewKind, 'none'>, number>> = {
  image: 20_000_000,
  pdf: 30_000_000,
  video: 60_000_000,
  audio: 60_000_000,
  json: 1_000_000,
  text: 200_000,
};

/** Types that the page gives to the browser. SVG is no image here: it may have scripts in it, so it is shown as text. */
const shown: Readonly<Record<string, PreviewKind>> = {
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
  'application/pdf': 'pdf',
  'video/mp4': 'video',
  'video/webm': 'video',
  'video/ogg': 'video',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/ogg': 'audio',
  'audio/wav': 'audio',
  'audio/x-wav': 'audio',
  'audio/webm': 'audio',
  'audio/flac': 'audio',
  'audio/aac': 'audio',
};
const textTypes =
  /^(text\/.*|image\/svg\+xml|application\/(xml|.*\+xml|javascript|ecmascript|sql|yaml|x-yaml|toml|x-sh|x-httpd-php|x-ndjson|graphql|rtf))$/;
const jsonTypes = /^application\/(json|.*\+json)$/;
/** Names of files of which the server may know no better than that they are bytes. */
const textNames =
  /\.(txt|md|csv|tsv|log|ya?ml|toml|ini|env|sql|xml|html?|svg|css|jsx?|tsx?|mjs|py|rb|go|rs|java|c|h|cpp|sh)$/i;

/** What a file is shown as. Nothing in it is believed: an image that is none is not drawn, a text is text. */
export function previewOf({
  mime,
  name,
}: {
  readonly mime: string;
  readonly name: string;
}): PreviewKind {
  const type = plainType(mime);
  const kind = shown[type];
  if (kind !== undefined) return kind;
  if (jsonTypes.test(type)) return 'json';
  if (textTypes.test(type)) return 'text';
  if (type !== 'application/octet-stream') return 'none';
  if (/\.json$/i.test(name)) return 'json';
  return textNames.test(name) ? 'text' : 'none';
}

/** The type that the browser is given for a file; undefined for a type that is not in the table. */
export function shownType(mime: string): string | undefined {
  const type = plainType(mime);
  return shown[type] === undefined ? undefined : type;
}

/** Whether the server makes other sizes of the image. */
export function isTransformable(mime: string): boolean {
  return shown[plainType(mime)] === 'image';
}

/** Without parameters, in lower case. */
function plainType(mime: string): string {
  return (mime.split(';', 1)[0] ?? '').trim().toLowerCase();
}

import type sharp from 'sharp';

export type Sharp = typeof sharp;

/**
 * What decodes the few formats that are wanted. All others stay off, for the library reads many more, among them
 * SVG and PDF, which are programs rather than pictures.
 */
const wantedLoaders = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadHeif',
  'VipsForeignLoadNsgif',
];

/** The library is one for the whole process, and so are its limits. */
let loading: Promise<Sharp> | undefined;

/** The library, loaded and limited with its first use: it takes memory that many deployments never need. */
export function loadSharp(): Promise<Sharp> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Sharp> {
  const { default: loaded } = await import('sharp');
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({ operation: wantedLoaders });
  // One image takes one core, and nothing of it is kept: the queue decides how many are made at once.
  loaded.concurrency(1);
  loaded.cache(false);
  return loaded;
}

import type sharp from 'sharp';

export type Sharp = typeof sharp;

/**
 * The decoders of the few formats that are wanted. All others stay off, among them SVG and PDF, which are programs
 * rather than pictures.
 */
const wantedLoaders = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadHeif',
  'VipsForeignLoadNsgif',
];

/** The process has one copy of the library and of its limits. */
let loading: Promise<Sharp> | undefined;

/** Loads the library and sets its limits on first use: it takes memory that many deployments never need. */
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
  // One image uses one core, and the library caches nothing: the queue decides how many images are made at once.
  loaded.concurrency(1);
  loaded.cache(false);
  return loaded;
}

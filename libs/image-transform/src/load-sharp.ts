import type sharp from 'sharp';

import { IMAGE_LOADERS } from '#libs/storage-rules';

export type Sharp = typeof sharp;

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
  // The library reads many more formats, among them SVG and PDF, which are programs rather than pictures.
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({ operation: [...IMAGE_LOADERS] });
  // One image takes one core, and nothing of it is kept: the queue decides how many are made at once.
  loaded.concurrency(1);
  loaded.cache(false);
  return loaded;
}

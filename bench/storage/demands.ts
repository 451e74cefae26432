// The figures of files, buckets and images, and their bars.

import { at, FEW_CONNECTIONS, perSecond, rate, type Bars, type Demand } from '../demands.js';
import type { SeriesKey } from '../rate-book.js';

const RESERVING_CONNECTIONS = 16;
const BYTES_OF_MEGABYTE = 1_000_000;

export const NGINX_DOWNLOAD = at('nginx', 'download', 1);
export const DOWNLOAD = at('product', 'download', 1);
export const DISK_WRITE = at('dd', 'upload', 1);
export const UPLOAD = at('product', 'upload', 1);
export const FORM_UPLOAD = at('product', 'upload-form', 1);
export const FASTIFY = at('fastify', 'hello', FEW_CONNECTIONS);
export const SMALL_GET = at('product', 'small-get', FEW_CONNECTIONS);
export const SMALL_PUT = at('product', 'small-put', FEW_CONNECTIONS);
export const RESERVE = at('product', 'reserve', RESERVING_CONNECTIONS);
export const IMAGE_MADE = at('product', 'image-made', 1);
export const IMAGE_CACHED = at('product', 'image-cached', 1);
export const WEBHOOK = at('product', 'webhook', 1);
export const LARGE_UPLOAD = at('product', 'large-upload', 1);
export const LARGE_DOWNLOAD = at('product', 'large-download', 1);

function growth(title: string, key: SeriesKey): Demand {
  return {
    title,
    unit: 'MB',
    better: 'lower',
    of: [key],
    demand: 64,
    stretch: 32,
    value({ rates }) {
      const bytes = rates.median(key, ({ grownBytes }) => grownBytes);
      return bytes === undefined ? undefined : bytes / BYTES_OF_MEGABYTE;
    },
  };
}

function middle(title: string, key: SeriesKey, bars: Bars): Demand {
  return {
    title,
    unit: 'ms',
    better: 'lower',
    of: [key],
    ...bars,
    value: ({ rates }) => rates.median(key, ({ p50Ms }) => p50Ms),
  };
}

export const STORAGE_DEMANDS: readonly Demand[] = [
  rate('48 MiB download / nginx', [DOWNLOAD, NGINX_DOWNLOAD], { demand: 0.7, stretch: 1 }),
  rate('48 MiB upload / dd with fsync', [UPLOAD, DISK_WRITE], { demand: 0.22, stretch: 0.3 }),
  rate('48 MiB upload as a form / dd with fsync', [FORM_UPLOAD, DISK_WRITE], {
    demand: 0.17,
    stretch: 0.25,
  }),
  rate('4 KiB file by id / bare Fastify', [SMALL_GET, FASTIFY], { demand: 0.12, stretch: 0.2 }),
  perSecond('4 KiB uploads, 32 at once', SMALL_PUT, { demand: 500, stretch: 1200 }),
  growth('growth of memory in a 512 MiB upload', LARGE_UPLOAD),
  growth('growth of memory in a 512 MiB download', LARGE_DOWNLOAD),
  perSecond('reservations in one bucket, 16 connections', RESERVE, { stretch: 1500 }),
  rate('a cached image / a made one', [IMAGE_CACHED, IMAGE_MADE], {
    demand: 20,
    stretch: 50,
  }),
  middle('from the answer to an upload to its webhook, p50', WEBHOOK, { demand: 200 }),
];

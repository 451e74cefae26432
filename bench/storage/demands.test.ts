import { expect, test } from 'vitest';
import type { BenchResults } from '../demands.js';
import { RateBook, type Measurement, type SeriesKey } from '../rate-book.js';
import { checkDemands } from '../report.js';
import {
  DISK_WRITE,
  DOWNLOAD,
  FASTIFY,
  FORM_UPLOAD,
  IMAGE_CACHED,
  IMAGE_MADE,
  LARGE_DOWNLOAD,
  LARGE_UPLOAD,
  NGINX_DOWNLOAD,
  RESERVE,
  SMALL_GET,
  SMALL_PUT,
  STORAGE_DEMANDS,
  UPLOAD,
  WEBHOOK,
} from './demands.js';

function resultsOf(rates: RateBook): BenchResults {
  return { rates, fleet: undefined, saves: undefined, heap: undefined };
}

function measured(): RateBook {
  const rates = new RateBook();
  const add = (key: SeriesKey, perSecond: number, more: Partial<Measurement> = {}): void =>
    rates.add(key, { perSecond, ...more });
  add(NGINX_DOWNLOAD, 10);
  add(DOWNLOAD, 8);
  add(DISK_WRITE, 20);
  add(UPLOAD, 5);
  add(FORM_UPLOAD, 4);
  add(FASTIFY, 10_000);
  add(SMALL_GET, 1_500);
  add(SMALL_PUT, 600);
  add(RESERVE, 1_600);
  add(IMAGE_MADE, 20);
  add(IMAGE_CACHED, 900);
  add(WEBHOOK, 30, { p50Ms: 40 });
  add(LARGE_UPLOAD, 0.5, { grownBytes: 70e6 });
  add(LARGE_DOWNLOAD, 0.5, { grownBytes: 30e6 });
  return rates;
}

test.each([
  { title: '48 MiB download / nginx', is: 0.8, verdict: 'met' },
  { title: '48 MiB upload / dd with fsync', is: 0.25, verdict: 'met' },
  { title: '48 MiB upload as a form / dd with fsync', is: 0.2, verdict: 'met' },
  { title: '4 KiB file by id / bare Fastify', is: 0.15, verdict: 'met' },
  { title: '4 KiB uploads, 32 at once', is: 600, verdict: 'met' },
  { title: 'growth of memory in a 512 MiB upload', is: 70, verdict: 'NOT MET' },
  { title: 'growth of memory in a 512 MiB download', is: 30, verdict: 'stretch met' },
  { title: 'reservations in one bucket, 16 connections', is: 1_600, verdict: 'stretch met' },
  { title: 'a cached image / a made one', is: 45, verdict: 'met' },
  { title: 'from the answer to an upload to its webhook, p50', is: 40, verdict: 'met' },
])('$title: $verdict', ({ title, is, verdict }) => {
  const checked = checkDemands(resultsOf(measured()), STORAGE_DEMANDS);
  const found = checked.find((one) => one.title === title);
  expect(found?.value).toBeCloseTo(is);
  expect(found?.verdict).toBe(verdict);
});

test('without nginx its ratio is none, and the other figures stay', () => {
  const rates = measured();
  rates.fail({ target: 'nginx', reason: 'is not installed' });
  const verdicts = checkDemands(resultsOf(rates), STORAGE_DEMANDS).map(({ verdict }) => verdict);
  expect(verdicts[0]).toBe('FAILED');
  expect(verdicts.slice(1)).not.toContain('FAILED');
});

// The bytes of files as clients meet them: one whole version while it is being replaced, and the answers to ranges
// and conditions that nginx gives to the same requests for the same file.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Chance } from '../soak/chance.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { makeBucket } from '../storage/bucket-rows.js';
import { contentOf } from './content.js';
import { type ByteAnswer, exchange, jsonOf } from './exchange.js';
import { type Nginx, openNginx, describeWithNginx } from './nginx.js';
import { requestsOf } from './range-requests.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await makeBucket(project, 'docs', { public: true });
});
afterAll(() => deployment.close());

const publicPath = (key: string) => `/api/storage/docs/files/${key}`;

/** Uploads content and gives what the answer says of the file. */
async function put(key: string, body: Buffer): Promise<Record<string, unknown>> {
  const path = `/api/files/object/docs/${key}?upsert=true`;
  const answer = await exchange(project, {
    method: 'PUT',
    path,
    headers: { apikey: project.secretKey },
    body,
  });
  expect([200, 201]).toContain(answer.status);
  return asRecord(asRecord(jsonOf(answer))['data']);
}

describe('while one key is replaced a thousand times', () => {
  const replaces = 1000;
  const writers = 4;
  const readers = 4;
  const versions = new Map<string, Buffer>();
  const answers: { readonly answer: ByteAnswer; readonly asked: string; readonly tag: string }[] =
    [];

  async function replace(seed: number): Promise<void> {
    const content = contentOf(seed, new Chance(seed).below(20_000));
    const { etag } = await put('hot.bin', content);
    versions.set(String(etag), content);
  }

  /** Reads the whole, then a part of whatever is there, then a part of what was read before. */
  async function read(chance: Chance): Promise<void> {
    const range = { range: `bytes=${chance.below(5000)}-${5000 + chance.below(20_000)}` };
    let tag = '';
    for (const headers of [{}, range, { ...range, 'if-range': () => tag }]) {
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          String(value instanceof Function ? value() : value),
        ]),
      );
      const answer = await exchange(project, { path: publicPath('hot.bin'), headers: sent });
      answers.push({ answer, asked: sent['if-range'] ?? '', tag });
      tag = String(answer.headers.etag);
    }
  }

  beforeAll(async () => {
    await replace(0);
    let next = 0;
    const write = async (): Promise<void> => {
      while (next < replaces) await replace((next += 1));
    };
    const watch = async (seed: number): Promise<void> => {
      const chance = new Chance(seed);
      while (next < replaces) await read(chance);
    };
    await Promise.all([
      ...Array.from({ length: writers }, write),
      ...Array.from({ length: readers }, (_, index) => watch(index)),
    ]);
  }, 300_000);

  test('every answer is of one version, as its tag says', () => {
    expect(versions.size).toBeGreaterThan(replaces);
    expect(new Set(answers.map(({ answer }) => answer.headers.etag)).size).toBeGreaterThan(50);
    for (const { answer } of answers) {
      const { status, headers, bytes } = answer;
      const content = versions.get(String(headers.etag)) ?? Buffer.from('of no version');
      if (status === 416) {
        // Errors name no version, but the length is that of one.
        expect([...versions.values()].map(({ length }) => `bytes */${length}`)).toContain(
          headers['content-range'],
        );
        continue;
      }
      const [, start = 0, end = content.length - 1, total = content.length] =
        /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
      expect([status, Number(total)]).toEqual([
        start === 0 && status === 200 ? 200 : 206,
        content.length,
      ]);
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(bytes.equals(content.subarray(Number(start), Number(end) + 1))).toBe(true);
    }
  });

  test('a part with If-Range is of the version that was read before, or the answer is whole', () => {
    const parts = answers.filter(({ asked }) => asked !== '');
    for (const { answer, asked } of parts) {
      if (answer.status === 206) expect(answer.headers.etag).toBe(asked);
    }
    // Both have happened.
    expect(new Set(parts.map(({ answer }) => answer.status))).toContain(206);
    expect(
      parts.some(({ answer, asked }) => answer.status === 200 && answer.headers.etag !== asked),
    ).toBe(true);
  });
});

describeWithNginx('ranges and conditions, beside nginx', () => {
  const whole = Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(30));
  let nginx: Nginx;

  beforeAll(async () => {
    nginx = await openNginx();
    for (const [name, content] of [
      ['fox.bin', whole],
      ['empty.bin', Buffer.alloc(0)],
    ] as const) {
      const { updatedAt } = await put(name, content);
      await nginx.put(
        name,
        content,
        new Date(Math.floor(Date.parse(String(updatedAt)) / 1000) * 1000),
      );
    }
  });
  afterAll(() => nginx.close());

  /** What the two are compared by. Bodies of refusals are each server's own. */
  function compared(
    { status, headers, bytes }: ByteAnswer,
    method: string,
  ): Record<string, unknown> {
    const isContent = status === 200 || status === 206;
    return {
      status,
      range: headers['content-range'],
      length: isContent ? headers['content-length'] : undefined,
      body: isContent && method !== 'HEAD' ? bytes.toString() : undefined,
      hasTag: headers.etag !== undefined,
      hasDate: headers['last-modified'] !== undefined,
      takesRanges: status === 206 ? undefined : headers['accept-ranges'],
    };
  }

  test.each(requestsOf(whole.length))('$name', async ({ file, method, headers, differs }) => {
    const ours = { at: project, path: publicPath(file) };
    const theirs = { at: { apiOrigin: nginx.origin, host: 'localhost' }, path: `/${file}` };
    const ask = async ({ at, path }: typeof ours | typeof theirs, given: typeof headers) => {
      const { etag = '', 'last-modified': date = '' } = (await exchange(at, { path })).headers;
      const sent = Object.entries(given).map(([header, value]) => [
        header,
        value.replaceAll('{tag}', etag).replaceAll('{date}', date),
      ]);
      return exchange(at, { method, path, headers: Object.fromEntries(sent) });
    };
    const answer = await ask(ours, headers);
    const compare = (other: ByteAnswer) => compared(other, method);
    expect(compare(answer)).toEqual(compare(await ask(theirs, differs?.as ?? headers)));
    // A difference that has gone is not to be listed.
    if (differs) expect(compare(await ask(theirs, headers))).not.toEqual(compare(answer));
    // nginx says so of whole files alone; RFC 9110 section 14.3 lets us say it of parts.
    if (answer.status < 300) expect(answer.headers['accept-ranges']).toBe('bytes');
  });
});

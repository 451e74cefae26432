import { describe, expect, test } from 'vitest';
import { curlArguments, parseTransferred } from './curl.js';
import { parseSeconds } from './disk.js';
import { idOf } from './file-answer.js';
import { nginxConfig } from './nginx.js';
import { parseResident } from './peak.js';
import { measurementOf, timesOf } from './place.js';
import { NUMBER_MARK, uploadRequests } from './small-files.js';
import { Arrivals, keyOfCall } from './webhooks.js';

describe('curl', () => {
  const at = { port: 80, host: 'x.localhost', path: '/p' };

  test('a download is thrown away, and nobody is named who does not sign in', () => {
    const args = curlArguments(at);
    expect(args).toEqual(expect.arrayContaining(['-q', '-o', '/dev/null', 'Host: x.localhost']));
    expect(args.filter((arg) => /^(Authorization|Expect|Content-Type)/.test(arg))).toEqual([]);
    expect(args.at(-1)).toBe('http://127.0.0.1:80/p');
  });

  test('a file is sent at once, as it is', () => {
    const body = { file: '/f', mediaType: 'image/jpeg' };
    const args = curlArguments({ ...at, bearer: 't', body });
    expect(args.join(' ')).toContain('-T /f -H Content-Type: image/jpeg');
    expect(args).toEqual(expect.arrayContaining(['Expect:', 'Authorization: Bearer t']));
  });

  test('a form keeps the order of its fields', () => {
    const form = [
      ['bucket', 'b'],
      ['file', '@/f'],
    ] as const;
    expect(curlArguments({ ...at, form }).join(' ')).toContain('-F bucket=b -F file=@/f');
  });

  test('its line is read, and nothing else', () => {
    expect(parseTransferred('200 0.125 1000\n')).toEqual({
      status: 200,
      seconds: 0.125,
      bytes: 1000,
    });
    expect(() => parseTransferred('200 0.125')).toThrow(/curl wrote/);
  });
});

test.each([
  { line: '50331648 bytes (50 MB, 48 MiB) copied, 0.117 s, 430 MB/s', is: 0.117 },
  { line: '50331648 bytes (50 MB, 48 MiB) copied, 1.5e-05 s, 3 TB/s', is: 0.000_015 },
])('dd: $line', ({ line, is }) => {
  expect(parseSeconds(`48+0 records in\n48+0 records out\n${line}\n`)).toBeCloseTo(is, 9);
});

test('what dd says of a full disk is no time', () => {
  expect(() => parseSeconds('dd: error writing: No space left on device')).toThrow(/dd wrote/);
});

test('the memory of a process, now and at most, in bytes', () => {
  const status = 'Name:\tnode\nVmPeak:\t  900 kB\nVmHWM:\t  300 kB\nVmRSS:\t  200 kB\n';
  expect(parseResident(status)).toEqual({ nowBytes: 204_800, peakBytes: 307_200 });
  expect(() => parseResident('Name:\tnode\n')).toThrow(/VmRSS/);
});

test('nginx has one worker, sends files with sendfile and keeps to its folder', () => {
  const config = nginxConfig('/n', 1234);
  expect(config).toMatch(
    /worker_processes 1;[^]*sendfile on;[^]*listen 127\.0\.0\.1:1234; root \/n\/files;/,
  );
  expect(config).not.toContain('user');
  expect(nginxConfig('/n', 1, 'root')).toMatch(/^user root;$/m);
});

describe('times', () => {
  test('the middle one counts', () => {
    expect(measurementOf([0.5, 0.25, 9])).toEqual({ perSecond: 2, p50Ms: 500 });
  });

  test('none is no rate', () => {
    expect(() => measurementOf([])).toThrow(/Nothing was timed/);
  });

  test('are taken one after another', async () => {
    let underWay = 0;
    const times = await timesOf(3, async () => {
      underWay += 1;
      await Promise.resolve();
      underWay -= 1;
      return underWay;
    });
    expect(times).toEqual([0, 0, 0]);
  });
});

test('small uploads are of 4 KiB, of many users, each with a number of its own', () => {
  const requests = uploadRequests('x.localhost');
  const lengths = requests.map((text) => /Content-Length: (\d+)/.exec(text)?.[1]);
  expect(new Set(lengths)).toEqual(new Set(['4096']));
  expect(requests.filter((text) => text.split(NUMBER_MARK).length !== 2)).toEqual([]);
  expect(new Set(requests.map((text) => /Bearer (\S+)/.exec(text)?.[1])).size).toBe(500);
});

test.each([
  { body: { data: { id: 'a' } }, is: 'a' },
  { body: { id: 'a' }, is: undefined },
  { body: { error: {} }, is: undefined },
])('the id in $body', ({ body, is }) => {
  if (is === undefined) expect(() => idOf(body)).toThrow(/no text field id/);
  else expect(idOf(body)).toBe(is);
});

describe('webhooks', () => {
  test.each([
    { body: { type: 'uploaded', file: { key: 'a/b' } }, is: 'a/b' },
    { body: { type: 'uploaded', file: {} }, is: undefined },
    { body: 'uploaded', is: undefined },
  ])('the key in $body', ({ body, is }) => {
    expect(keyOfCall(body)).toBe(is);
  });

  test('the first call counts, whether it comes before or after it is waited for', async () => {
    const arrivals = new Arrivals();
    arrivals.add('early', 1);
    arrivals.add('early', 5);
    const late = arrivals.of('late');
    arrivals.add('late', 2);
    expect(await arrivals.of('early')).toBe(1);
    expect(await late).toBe(2);
  });

  test('one that never comes is an error', async () => {
    await expect(new Arrivals().of('lost', 10)).rejects.toThrow(/No webhook named lost/);
  });
});

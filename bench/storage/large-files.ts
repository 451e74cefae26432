// Files of 48 MiB against nginx and dd, and the memory that one of 512 MiB takes.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenOf } from '../database/accounts.js';
import { call } from '../control.js';
import { reasonOf } from '../series.js';
import { createContent, createLargeContent, FILE_BYTES, LARGE_BYTES, sha256Of } from './content.js';
import type { Transfer } from './curl.js';
import {
  DISK_WRITE,
  DOWNLOAD,
  FORM_UPLOAD,
  LARGE_DOWNLOAD,
  LARGE_UPLOAD,
  NGINX_DOWNLOAD,
  UPLOAD,
} from './demands.js';
import { writeWithDd } from './disk.js';
import { idOf } from './file-answer.js';
import { startNginx } from './nginx.js';
import { growthDuring, whyNoPeak } from './peak.js';
import {
  addressOf,
  BUCKET,
  measurementOf,
  timesOf,
  type CheckedSeries,
  type StoragePlace,
} from './place.js';
import { findProgram } from './tools.js';

const TRANSFERS = 5;
const MEDIA_TYPE = 'application/octet-stream';
const LARGE_KEY = 'large/zeros';

function signedIn(place: StoragePlace, path: string): Transfer {
  return { ...addressOf(place), path, bearer: tokenOf(1) };
}

function put(place: StoragePlace, key: string, file: string): Transfer {
  const path = `/api/files/object/${BUCKET}/${key}`;
  return { ...signedIn(place, path), body: { file, mediaType: MEDIA_TYPE } };
}

function form(place: StoragePlace, key: string, file: string): Transfer {
  const fields = [
    ['bucket', BUCKET],
    ['path', key],
    ['file', `@${file};type=${MEDIA_TYPE}`],
  ] as const;
  return { ...signedIn(place, '/api/files'), form: fields };
}

async function idOfKey(place: StoragePlace, key: string): Promise<string> {
  const reply = await call({
    ...addressOf(place),
    method: 'GET',
    path: `/api/files/object-info/${BUCKET}/${key}`,
    headers: { authorization: `Bearer ${tokenOf(1)}` },
  });
  return idOf(reply.body);
}

/** Seconds of a transfer; throws when its answer is no success or has another length. */
async function secondsOf(
  { send }: StoragePlace,
  transfer: Transfer,
  expected: { readonly statuses: readonly number[]; readonly bytes?: number },
): Promise<number> {
  const { status, seconds, bytes } = await send(transfer);
  const { statuses, bytes: wanted = bytes } = expected;
  if (statuses.includes(status) && bytes === wanted) return seconds;
  throw new Error(`${transfer.path} answered ${String(status)} with ${String(bytes)} bytes`);
}

/** Why a download does not bring the bytes of the file; undefined when it does. */
async function faultOfDownload(
  place: StoragePlace,
  transfer: Transfer,
  file: string,
): Promise<string | undefined> {
  const out = join(place.folder, 'received');
  const { status } = await place.send({ ...transfer, out });
  if (status !== 200) return `no success; it answered ${String(status)}`;
  if ((await sha256Of(out)) !== (await sha256Of(file))) return 'other bytes than the file has';
  return undefined;
}

/** Why a file is shown to a user who may not see it; undefined when it is not. */
async function faultToStrangers(
  { send }: StoragePlace,
  { port, host, path }: Transfer,
): Promise<string | undefined> {
  for (const bearer of [undefined, `x${tokenOf(1).slice(1)}`, tokenOf(2)]) {
    const transfer = { port, host, path };
    const { status } = await send(bearer === undefined ? transfer : { ...transfer, bearer });
    if (status !== 401 && status !== 404) return `a stranger is answered ${String(status)}`;
  }
  return undefined;
}

interface Upload {
  readonly key: CheckedSeries['key'];
  readonly folder: string;
  readonly transferOf: (place: StoragePlace, key: string, file: string) => Transfer;
}

function uploadSeries(place: StoragePlace, file: string, upload: Upload): CheckedSeries {
  const { key, folder, transferOf } = upload;
  let count = 0;
  const send = (): Promise<number> => {
    count += 1;
    const transfer = transferOf(place, `${folder}/${String(count)}`, file);
    return secondsOf(place, transfer, { statuses: [201] });
  };
  return {
    key,
    async faultOf() {
      await send();
      const stored = `/api/files/object/${BUCKET}/${folder}/${String(count)}`;
      return faultOfDownload(place, signedIn(place, stored), file);
    },
    measure: async () => measurementOf(await timesOf(TRANSFERS, send)),
  };
}

function downloadSeries(
  place: StoragePlace,
  file: string,
  how: { readonly key: CheckedSeries['key']; readonly transfer: () => Promise<Transfer> },
): CheckedSeries {
  let known: Transfer | undefined;
  return {
    key: how.key,
    async faultOf() {
      known = await how.transfer();
      const fault = await faultOfDownload(place, known, file);
      return fault ?? (known.bearer === undefined ? undefined : faultToStrangers(place, known));
    },
    async measure() {
      const transfer = (known ??= await how.transfer());
      const expected = { statuses: [200], bytes: FILE_BYTES };
      return measurementOf(await timesOf(TRANSFERS, () => secondsOf(place, transfer, expected)));
    },
  };
}

/** Opens nginx; why there is none is noted. */
async function openNginx(place: StoragePlace, file: string): Promise<CheckedSeries[]> {
  const name = 'content';
  const program = findProgram('nginx', place.searchPath);
  try {
    if (program === undefined) throw new Error('nginx is not installed');
    const folder = join(place.folder, 'nginx');
    await mkdir(folder);
    const nginx = place.cleanup.keep(await startNginx(program, { folder, file, name }), (started) =>
      started.stop(),
    );
    const transfer = { port: nginx.port, host: 'localhost', path: `/${name}` };
    return [
      downloadSeries(place, file, {
        key: NGINX_DOWNLOAD,
        transfer: () => Promise.resolve(transfer),
      }),
    ];
  } catch (error) {
    place.rates.fail({ target: 'nginx', reason: reasonOf(error) });
    place.say(`nginx: FAILED: ${reasonOf(error)}`);
    return [];
  }
}

/** The series of files of 48 MiB. */
export async function openLargeFiles(place: StoragePlace): Promise<CheckedSeries[]> {
  const file = await createContent(place.folder, place.cleanup);
  let writes = 0;
  const write = async (): Promise<{ readonly to: string; readonly seconds: number }> => {
    writes += 1;
    const to = join(place.folder, `written-${String(writes)}`);
    return { to, seconds: await writeWithDd(file, to) };
  };
  const download = async (): Promise<Transfer> => {
    const key = 'downloads/content';
    await secondsOf(place, put(place, key, file), { statuses: [201] });
    return signedIn(place, `/api/files/${await idOfKey(place, key)}/raw`);
  };
  return [
    ...(await openNginx(place, file)),
    downloadSeries(place, file, { key: DOWNLOAD, transfer: download }),
    {
      key: DISK_WRITE,
      async faultOf() {
        const { to } = await write();
        return (await sha256Of(to)) === (await sha256Of(file)) ? undefined : 'other bytes';
      },
      measure: async () =>
        measurementOf(await timesOf(TRANSFERS, async () => (await write()).seconds)),
    },
    uploadSeries(place, file, { key: UPLOAD, folder: 'uploads', transferOf: put }),
    uploadSeries(place, file, { key: FORM_UPLOAD, folder: 'forms', transferOf: form }),
  ];
}

/** The series of one file of 512 MiB; none where the system does not report the peak of a process. */
export async function openGrowth(place: StoragePlace): Promise<CheckedSeries[]> {
  const { pid } = place.product.current();
  const reason = whyNoPeak(pid);
  if (reason !== undefined) {
    place.say(`The growth of memory is not measured: ${reason}`);
    return [];
  }
  const file = await createLargeContent(place.folder);
  const upload = put(place, `${LARGE_KEY}?upsert=true`, file);
  const expected = { statuses: [200], bytes: LARGE_BYTES };
  const sending = (): Promise<number> => secondsOf(place, upload, { statuses: [200, 201] });
  const receiving = (): Promise<number> =>
    secondsOf(place, signedIn(place, `/api/files/object/${BUCKET}/${LARGE_KEY}`), expected);
  const series = (key: CheckedSeries['key'], transfer: () => Promise<number>): CheckedSeries => ({
    key,
    async faultOf() {
      await transfer();
      return undefined;
    },
    async measure() {
      const { result, grownBytes } = await growthDuring(pid, transfer);
      return { ...measurementOf([result]), grownBytes };
    },
  });
  return [series(LARGE_UPLOAD, sending), series(LARGE_DOWNLOAD, receiving)];
}

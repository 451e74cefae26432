// An upload in parts keeps what has arrived when the server is killed, and goes on from there.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { timeUntil } from '#libs/testing';
import { makeBucket } from '../../storage/bucket-rows.js';
import { TusClient } from '../../storage/tus-requests.js';
import { asServer } from '../../storage/uploads-http.js';
import { exchange } from '../../storage-proof/exchange.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { shownMs } from '../figures.js';

const mebibyte = 1024 ** 2;
const contentBytes = 48 * mebibyte;
const pieceBytes = mebibyte;
/** Sent before the kill. */
const pieces = 30;
const pieceMs = 50;
/** The server keeps what has come after every 4 MB; as much again is under way. */
const mostLostBytes = 8 * mebibyte;

export const resumableKill: TrialCase = { name: 'resumable-kill', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  const project = projectAt(trial, 8);
  const content = randomBytes(contentBytes);
  const [bucket, path] = ['films', 'film.bin'];
  await makeBucket(project, bucket);
  const tus = new TusClient(project, asServer(project));
  const id = await tus.begin(contentBytes, { bucket, path });
  const { request } = tus.openPatch(id, 0, { 'content-length': String(contentBytes) });
  request.on('error', () => undefined);
  for (let piece = 0; piece < pieces; piece += 1) {
    request.write(content.subarray(piece * pieceBytes, (piece + 1) * pieceBytes));
    await delay(pieceMs);
  }
  await deployment.kill();
  await deployment.start();
  let offset = -1;
  // The lease of a process that was killed ends after ten seconds.
  const tookMs = await timeUntil(
    async () => {
      offset = await tus.offset(id);
      return true;
    },
    { ms: 60_000, until: 'the upload can go on' },
  );
  const lostBytes = pieces * pieceBytes - offset;
  found.check(lostBytes <= mostLostBytes, `${lostBytes} bytes that had been sent were not kept`);
  const { status } = await tus.patch(id, offset, content.subarray(offset));
  found.check(status === 204, `the rest was answered ${status}`);
  const file = await exchange(project, {
    path: `/api/files/object/${bucket}/${path}`,
    headers: asServer(project),
  });
  found.check(file.bytes.equals(content), 'the file differs from what was sent');
  const shownMb = (bytes: number): string => `${(bytes / mebibyte).toFixed(1)} MB`;
  return found.outcome(
    `${shownMb(pieces * pieceBytes)} sent, ${shownMb(offset)} kept through kill -9, on after ${shownMs(tookMs)}`,
  );
}

// Uploads stop before the disk is full, and at the limit of their project. Rows and neighbors go on.
import { makeBucket } from '../../storage/bucket-rows.js';
import { asServer, sendBytes } from '../../storage/uploads-http.js';
import type { Reply } from '../../support/http.js';
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { counted } from '../figures.js';

const limitBytes = 3_000_000;
const fileBytes = 1_000_000;
const files = 6;
/** More megabytes than the disk of any machine has. */
const everythingMb = '900000000';
const bucket = 'disk';

export const fullDisk: TrialCase = { name: 'full-disk', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  const [greedy, neighbor] = [projectAt(trial, 9), projectAt(trial, 10)];
  for (const project of [greedy, neighbor]) await makeBucket(project, bucket);
  await limit(trial, greedy, limitBytes);
  // All at once: together they must not pass the limit.
  const numbers = Array.from({ length: files }, (_, number) => number);
  const replies = await Promise.all(numbers.map((number) => upload(greedy, `limit-${number}`)));
  const stored = replies.filter(({ status }) => status < 300).length;
  found.check(stored * fileBytes <= limitBytes, `${stored} files were stored beyond the limit`);
  found.check(stored > 0, `no file was stored: ${replies[0]?.text}`);
  found.check(
    replies.every((reply) => reply.status < 300 || isRefusal(reply, 'PROJECT_STORAGE_FULL')),
    `uploads beyond the limit: ${counted(replies.map(({ status }) => status))}`,
  );
  found.check((await upload(neighbor, 'limit')).status < 300, 'the neighbor cannot upload');
  await limit(trial, greedy, null);
  await deployment.restart({ DISK_RESERVE_MB: everythingMb });
  const refused = await upload(neighbor, 'reserve');
  found.check(
    isRefusal(refused, 'STORAGE_FULL'),
    `without room: ${refused.status} ${refused.text}`,
  );
  const row = { method: 'POST', path: '/rest/v1/notes', body: { id: `disk-${Date.now()}` } };
  const written = await neighbor.asService(row);
  found.check(written.status === 201, `a row was answered ${written.status} ${written.text}`);
  await deployment.restart();
  found.check((await upload(neighbor, 'room')).status < 300, 'with room again: no upload');
  return found.outcome(
    `limit of ${limitBytes} bytes: ${stored} of ${files} files of ${fileBytes} stored; disk without room: ${refused.status}, rows ${written.status}`,
  );
}

async function limit({ deployment }: Trial, { ref }: ProjectUnderTest, bytes: number | null) {
  const path = `/platform/projects/${ref}/limits`;
  const reply = await deployment.console({ method: 'PUT', path, body: { storageBytes: bytes } });
  if (reply.status >= 300) throw new Error(`no limit: ${reply.status} ${reply.text}`);
}

function upload(project: ProjectUnderTest, name: string): Promise<Reply> {
  return sendBytes(project, {
    method: 'PUT',
    path: `/api/files/object/${bucket}/${name}.bin`,
    headers: asServer(project),
    body: Buffer.alloc(fileBytes, 'x'),
  });
}

const isRefusal = ({ status, body }: Reply, code: string): boolean =>
  status === 507 && Object(body).code === code;

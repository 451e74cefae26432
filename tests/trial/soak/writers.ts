// Writes against random projects. Each that is acknowledged is remembered; one that is refused or not answered is not.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { bucketsPath } from '../../storage/bucket-rows.js';
import { asServer, sendBytes } from '../../storage/uploads-http.js';
import type { Chance } from '../../soak/chance.js';
import { asRecord } from '../../support/deployment.js';
import type { Reply } from '../../support/http.js';
import { type ProjectUnderTest, userPassword } from '../../support/project.js';
import type { Trial } from '../case.js';
import { requestLink } from '../cases/mails.js';
import { forEachProject } from '../fleet.js';
import { Ledger, ProjectBook } from './ledger.js';

const bucket = 'soak';
const weights = { row: 60, file: 15, mail: 8, 'sign-in': 10, project: 1 } as const;
type Kind = keyof typeof weights;
const mostFileBytes = 200_000;
/** After a request that was refused or not answered, as clients do. */
const pauseMs = 200;
/** What a client cannot know: the server has ended or ends connections at this moment. */
const lostConnections = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

interface Turn {
  readonly trial: Trial;
  readonly project: ProjectUnderTest;
  readonly ledger: Ledger;
  readonly chance: Chance;
}

export class Writers {
  readonly books = new ProjectBook();
  readonly ledgers: readonly Ledger[];
  /** Answers that no client should get, with their request. */
  readonly surprises: string[] = [];
  readonly counts = { acknowledged: 0, refused: 0, unanswered: 0 };
  #isOver = true;
  #working: Promise<unknown> = Promise.resolve();

  private constructor(private readonly trial: Trial) {
    this.ledgers = trial.projects.map(() => new Ledger());
  }

  /** Makes the buckets that are written to, each with a webhook. */
  static async prepare(trial: Trial): Promise<Writers> {
    await forEachProject(trial.projects, async (project) => {
      const post = (path: string, body: object) =>
        project.asService({ method: 'POST', path: `${bucketsPath}${path}`, body });
      await post('', { slug: bucket });
      const { status, text } = await post(`/${bucket}/webhooks`, { url: trial.receiver.url });
      if (status !== 201) throw new Error(`the webhook was refused: ${status} ${text}`);
    });
    return new Writers(trial);
  }

  start(writers: number): void {
    this.#isOver = false;
    this.#working = Promise.all(Array.from({ length: writers }, () => this.#work()));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    const { trial } = this;
    const { chance } = trial;
    while (!this.#isOver) {
      const place = chance.below(trial.projects.length);
      const [project, ledger] = [trial.projects[place], this.ledgers[place]];
      if (!project || !ledger) throw new Error('there is no project');
      const kind: Kind = chance.weighted(weights);
      const turn = { trial, project, ledger, chance };
      const isAcknowledged =
        kind === 'project' ? await this.#changeProject() : await this.#try(kind, steps[kind](turn));
      if (!isAcknowledged) await delay(pauseMs);
    }
  }

  /** Whether the request was acknowledged; counts how it ended. */
  async #try(kind: Kind, work: Promise<Reply>): Promise<boolean> {
    try {
      const { status, text } = await work;
      if (status < 300) {
        this.counts.acknowledged += 1;
        return true;
      }
      this.counts.refused += 1;
      if (status !== 503) this.surprises.push(`${kind}: ${status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.counts.unanswered += 1;
      const code = String(Reflect.get(Object(error), 'code'));
      if (!lostConnections.has(code)) this.surprises.push(`${kind}: ${String(error)}`);
    }
    return false;
  }

  /** Deletes a project when there are some, else creates one. */
  async #changeProject(): Promise<boolean> {
    const { deployment } = this.trial;
    const old = this.books.active.size > 3 ? this.books.takeActive() : undefined;
    if (old !== undefined) {
      const isRemoved = await this.#try('project', deployment.requestDeletion(old));
      this.books.removed(old, isRemoved);
      return isRemoved;
    }
    const ref = `s${randomBytes(6).toString('hex')}`;
    const isCreated = await this.#try('project', deployment.requestProject(ref));
    this.books.created(ref, isCreated);
    return isCreated;
  }
}

const steps: Readonly<Record<Exclude<Kind, 'project'>, (turn: Turn) => Promise<Reply>>> = {
  row: writeRow,
  file: writeFile,
  mail: askForMail,
  'sign-in': signIn,
};

async function writeRow({ project, ledger }: Turn): Promise<Reply> {
  const id = randomUUID();
  const call = { method: 'POST', path: '/rest/v1/notes', body: { id, body: 'x'.repeat(200) } };
  const reply = await project.asService(call);
  if (reply.status === 201) ledger.rows.add(id);
  return reply;
}

async function writeFile({ project, ledger, chance }: Turn): Promise<Reply> {
  const body = randomBytes(1 + chance.below(mostFileBytes));
  const path = `${bucket}/${randomUUID()}.bin`;
  const reply = await sendBytes(project, {
    method: 'PUT',
    path: `/api/files/object/${path}`,
    headers: asServer(project),
    body,
  });
  if (reply.status < 300) {
    ledger.files.push({ path, sha256: createHash('sha256').update(body).digest('hex') });
  }
  return reply;
}

async function askForMail({ project, ledger, chance }: Turn): Promise<Reply> {
  // Every third address is answered 451 at first.
  const word = chance.below(3) === 0 ? 'later' : 'soak';
  const address = `${word}-${randomUUID()}@example.org`;
  const reply = await requestLink(project, address);
  if (reply.status === 200) ledger.mails.add(address);
  return reply;
}

/** Signs in; the first time, signs up. */
async function signIn({ project, ledger, chance }: Turn): Promise<Reply> {
  const known = chance.pick([...ledger.users.keys()]);
  const email = known ?? `user-${randomUUID()}@example.org`;
  const path = `/api/auth/${known === undefined ? 'sign-up' : 'sign-in'}/email`;
  const body = { email, password: userPassword };
  const reply = await project.send({ method: 'POST', path, body });
  if (reply.status !== 200) return reply;
  const { token, user } = asRecord(reply.body);
  const userId = String(asRecord(user)['id']);
  ledger.users.set(email, userId);
  ledger.sessions.push({ token: String(token), userId });
  return reply;
}

// After the quiet: is everything there that was acknowledged, and is nothing stuck or left over?
import { createHash } from 'node:crypto';

import { asServer } from '../../storage/uploads-http.js';
import { exchange } from '../../storage-proof/exchange.js';
import { asRecord } from '../../support/deployment.js';
import type { ProjectUnderTest } from '../../support/project.js';
import type { Findings, Trial } from '../case.js';
import { forEachProject } from '../fleet.js';
import { type Ledger, missing } from './ledger.js';
import { listStuck } from './stuck.js';
import type { Writers } from './writers.js';

export interface Kept {
  readonly rows: number;
  readonly files: number;
  readonly mails: number;
  readonly webhooks: number;
  readonly sessions: number;
  readonly lost: number;
  /** Sentences about what is stuck or left over. */
  readonly stuck: readonly string[];
}

/** Compares the deployment with the ledgers. What is missing goes to `found`. */
export async function inspect(trial: Trial, writers: Writers, found: Findings): Promise<Kept> {
  const all = await forEachProject(trial.projects, async (project, index) => {
    const ledger = writers.ledgers[index];
    if (ledger === undefined) throw new Error('there is no ledger');
    const lost = [
      ...(await lostRows(trial, project, ledger)),
      ...(await lostFiles(project, ledger)),
      ...(await lostWebhooks(trial, project, ledger)),
      ...(await lostSessions(project, ledger)),
      ...(await lostMails(trial, project, ledger)),
    ];
    for (const each of lost) found.check(false, `lost in ${project.ref}: ${each}`);
    return { ledger, lost: lost.length };
  });
  await inspectProjects(trial, writers, found);
  const stuck = await listStuck(trial);
  for (const each of stuck) found.check(false, `stuck: ${each}`);
  const sum = (count: (of: (typeof all)[number]) => number) =>
    all.reduce((total, each) => total + count(each), 0);
  return {
    rows: sum(({ ledger }) => ledger.rows.size),
    files: sum(({ ledger }) => ledger.files.length),
    mails: sum(({ ledger }) => ledger.mails.size),
    // One for each file.
    webhooks: sum(({ ledger }) => ledger.files.length),
    sessions: sum(({ ledger }) => ledger.sessions.length),
    lost: sum(({ lost }) => lost),
    stuck,
  };
}

async function lostRows({ deployment }: Trial, { database }: ProjectUnderTest, { rows }: Ledger) {
  const there = await deployment.ask('select id from public.notes', database);
  return missing(
    rows,
    there.map(({ id }) => String(id)),
  ).map((id) => `row ${id}`);
}

async function lostFiles(project: ProjectUnderTest, { files }: Ledger): Promise<string[]> {
  const lost: string[] = [];
  for (const { path, sha256 } of files) {
    const { status, bytes } = await exchange(project, {
      path: `/api/files/object/${path}`,
      headers: asServer(project),
    });
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (status !== 200) lost.push(`file ${path}: ${status}`);
    else if (digest !== sha256) lost.push(`file ${path}: other bytes`);
  }
  return lost;
}

async function lostWebhooks(trial: Trial, { database }: ProjectUnderTest, { files }: Ledger) {
  const keys = files.map(({ path }) => path.slice(path.indexOf('/') + 1));
  const lost = keys.filter((key) => !trial.receiver.hasHeardOf(key));
  const fates = lost.map(async (key) => {
    const rows = await trial.deployment.ask(
      `select status, attempts, response_status, error from platform.outbox
       where kind = 'webhook' and payload::text like '%${key}%'`,
      database,
    );
    return `webhook of ${key}: ${JSON.stringify(rows)}`;
  });
  return Promise.all(fates);
}

async function lostSessions(project: ProjectUnderTest, { sessions }: Ledger): Promise<string[]> {
  const lost: string[] = [];
  for (const { token, userId } of sessions) {
    const { status, body } = await project.send({
      path: '/api/auth/get-session',
      headers: { authorization: `Bearer ${token}` },
    });
    const user: unknown = Object(body).user;
    if (Object(user).id !== userId) lost.push(`session of user ${userId}: ${status}`);
  }
  return lost;
}

async function lostMails(trial: Trial, { database }: ProjectUnderTest, { mails }: Ledger) {
  const lost = [...mails].filter((address) => trial.inbox.countOf(address) === 0);
  const fates = lost.map(async (address) => {
    const rows = await trial.deployment.ask(
      `select status, attempts, next_try_at, last_error from platform.messages where recipient = '${address}'`,
      database,
    );
    return `mail to ${address}: ${JSON.stringify(rows)}`;
  });
  return Promise.all(fates);
}

/** Every project is in a state that fits what was acknowledged. */
async function inspectProjects(trial: Trial, { books }: Writers, found: Findings): Promise<void> {
  for (const ref of books.refs) {
    const { status, body } = await trial.deployment.console({ path: `/platform/projects/${ref}` });
    const state = status === 404 ? 'gone' : String(asRecord(body)['status']);
    const contradiction = books.contradiction(ref, state);
    if (contradiction !== undefined) found.check(false, contradiction);
  }
}

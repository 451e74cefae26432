// The content of a fresh deployment: its first operator and a demo project.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  type ControlPlane,
  ControlPlaneStartError,
  createProject,
  deleteProject,
  ensureFirstOperator,
  type FirstOperator,
  getProjectRecord,
  makeFirstProject,
  noteDeliveries,
  type ProjectsContext,
} from '#libs/control-plane';
import { withProjectDatabase } from '#libs/database';
import { AppError } from '#libs/errors';
import { findDeno } from '#libs/functions';

import { storeDemoFunction } from './demo-function.js';
import { demoSql } from './demo-project.js';
import type { Env } from './env.js';
import { StartError } from './start-error.js';

const demoRef = 'demo';
const passwordFile = 'operator-password';

/**
 * Creates the first operator, and the demo project if the deployment has never had a project. An operator who
 * configures another default project gets no demo.
 */
export async function prepareFirstRun(
  env: Env,
  controlPlane: ControlPlane,
  projects: ProjectsContext,
): Promise<void> {
  const operator = await ensureOperator(env, controlPlane);
  if (operator.created) await tellPassword(env, operator);
  if (env.defaultProject !== demoRef) return;
  await makeFirstProject(projects, (organizationId) => makeDemoProject(projects, organizationId));
}

async function ensureOperator(env: Env, controlPlane: ControlPlane): Promise<FirstOperator> {
  try {
    return await ensureFirstOperator(controlPlane, env.operator);
  } catch (error) {
    if (!(error instanceof ControlPlaneStartError)) throw error;
    throw new StartError(error.message, error);
  }
}

async function makeDemoProject(context: ProjectsContext, organizationId: string): Promise<void> {
  const demo = { ref: demoRef, name: 'Demo', organizationId };
  try {
    await createProject(context, 'system', demo);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A project or a folder with this name is there.
    if (error.code === 'REF_TAKEN') return;
    if (error.code !== 'REF_BEING_RELEASED') throw error;
    // An earlier start was cut short.
    await deleteProject(context, 'system', demoRef);
    await createProject(context, 'system', demo);
  }
  try {
    const record = await getProjectRecord(context, demoRef);
    if (!record) throw new Error('the demo project was made and is not there');
    await withProjectDatabase(record, async (db) => {
      await db.runScript(demoSql);
      if (findDeno().kind !== 'missing') await storeDemoFunction(db);
    });
    // A worker of another process may have looked before.
    await noteDeliveries(context, demoRef);
  } catch (error) {
    await deleteProject(context, 'system', demoRef);
    throw error;
  }
}

/** Shows a generated password once, and keeps it where only the owner of the data folder can read it. */
async function tellPassword(
  env: Env,
  operator: Extract<FirstOperator, { readonly created: true }>,
): Promise<void> {
  const { email, generatedPassword } = operator;
  if (generatedPassword === undefined) return;
  const file = join(env.dataDir, passwordFile);
  await writeFile(file, `${generatedPassword}\n`, { mode: 0o600 });
  process.stdout.write(
    `\nThe first operator of this deployment\n` +
      `  email     ${email}\n` +
      `  password  ${generatedPassword}\n` +
      `It is shown once and kept in ${file}. It must be changed at the first login.\n\n`,
  );
}

// `rowhouse operator reset <email>`: the way back for an operator who cannot sign in any more. It works on the
// control-plane database itself, because no other operator may be there to ask over HTTP.
import { resetOperatorOnMachine } from '#libs/control-plane';
import { CommandError } from './command-error.js';
import { controlPlaneDatabase } from './control-plane-database.js';
import { takeProcessEnv, type Env } from './env.js';
import { reachDatabase } from './reach-database.js';
import { StartError, systemErrorCode } from './start-error.js';

/** Runs the command in this process: with its environment and its output. Returns the exit code. */
export async function runOperatorReset(args: readonly string[]): Promise<0 | 1> {
  try {
    const email = readEmail(args);
    process.stdout.write(await resetOn(takeProcessEnv(), email));
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof StartError)) throw error;
    process.stderr.write(`rowhouse: ${error.message}\n`);
    return 1;
  }
}

function readEmail(args: readonly string[]): string {
  const [email, ...others] = args;
  const isEmail = email !== undefined && /^[^\s@-][^\s@]*@[^\s@]+$/.test(email);
  if (isEmail && others.length === 0) return email;
  throw new CommandError(
    'operator reset takes the email address of one operator; see rowhouse --help',
  );
}

async function resetOn(env: Env, email: string): Promise<string> {
  const database = await reachDatabase(env);
  try {
    const url = new URL(database.url);
    url.pathname = `/${controlPlaneDatabase}`;
    const reset = await resetOperatorOnMachine(url.href, email).catch(explain);
    if (!reset) throw new CommandError(`No operator has the email address ${email}`);
    const { generatedPassword, status } = reset;
    const note =
      status === 'disabled'
        ? 'This operator is disabled; an administrator of the deployment must activate the account.\n'
        : '';
    return (
      `email     ${reset.email}\npassword  ${generatedPassword}\n` +
      `The password is shown once. It must be changed at the next sign-in (POST /platform/password).\n` +
      `The second factor, all sessions, trusted devices and lock-outs are removed.\n${note}`
    );
  } finally {
    await database.close();
  }
}

/** SQLSTATEs of a database or table that is missing: the control plane was never made, or by another release. */
function explain(error: unknown): never {
  const code = systemErrorCode(error);
  if (code === '3D000') {
    throw new CommandError('The server has no control-plane database; start Rowhouse once', {
      cause: error,
    });
  }
  if (code === '42P01' || code === '42703') {
    throw new CommandError(
      'The control-plane database belongs to another release; start this release once',
      { cause: error },
    );
  }
  throw error;
}

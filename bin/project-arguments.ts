// The arguments of commands that ask a running project.
import { isRecord } from '#libs/wire';
import { CommandError } from './command-error.js';
import { systemErrorCode } from './start-error.js';

/** Returns what `parse` returns. Throws CommandError, with the first sentence about a wrong argument. */
export function readArguments<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (systemErrorCode(error)?.startsWith('ERR_PARSE_ARGS_') !== true) throw error;
    // The first sentence names the argument; the others explain how to write it otherwise.
    const [sentence] = messageOf(error).split(/\. |\n/);
    throw new CommandError(`${sentence}; see rowhouse --help`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return isRecord(error) && 'message' in error ? String(error['message']) : String(error);
}

/** The secret key of an argument, else that of the environment. Throws CommandError. */
export function readSecretKey(key: string | undefined, keyOfEnv: string | undefined): string {
  const secretKey = key ?? keyOfEnv;
  if (secretKey === undefined || secretKey === '') {
    throw new CommandError('The secret key is missing; give --key or set ROWHOUSE_SECRET_KEY');
  }
  if (!/^[\x21-\x7e]+$/.test(secretKey)) {
    throw new CommandError('The secret key must be one word of plain letters; copy it again');
  }
  return secretKey;
}

/** Throws CommandError. */
export function readProjectUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError(
    `--url must be an address such as http://demo.localhost:8000, not ${text}`,
  );
}

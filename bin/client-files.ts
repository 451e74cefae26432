// The client for apps, which the build leaves beside the compiled program (bin/build-client.js).
import { readFile } from 'node:fs/promises';
import { type ClientFiles, prepareClientFiles } from '#libs/web';
import { systemErrorCode } from './start-error.js';

/** The folder `dist` of this build. */
const builtFolder = new URL('../', import.meta.url);

/** Reads the client that was built into `folder`; undefined when none was. */
export async function readClientFiles(folder = builtFolder): Promise<ClientFiles | undefined> {
  try {
    const read = (name: string) => readFile(new URL(name, folder));
    const [manifest, archive, script, channels] = await Promise.all([
      read('client/package.json'),
      read('client.tgz'),
      read('client.js'),
      read('client-channels.js'),
    ]);
    const { version }: { readonly version: string } = JSON.parse(manifest.toString('utf8'));
    return prepareClientFiles(version, {
      'client.tgz': archive,
      'client.js': script,
      'client-channels.js': channels,
    });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

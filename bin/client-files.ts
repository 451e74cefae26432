// The client for apps, which the build leaves beside the compiled program (bin/build-client.js).
import { readFile } from 'node:fs/promises';
import { type ClientFiles, prepareClientFiles } from '#libs/web';
import { systemErrorCode } from './start-error.js';

/** The folder `dist` of this build. */
const builtFolder = new URL('../', import.meta.url);

/** Reads the client that was built into `folder`; undefined when none was. */
export async function readClientFiles(folder = builtFolder): Promise<ClientFiles | undefined> {
  try {
    const [manifest, archive, script] = await Promise.all(
      ['client/package.json', 'client.tgz', 'client.js'].map((name) =>
        readFile(new URL(name, folder)),
      ),
    );
    if (!manifest || !archive || !script) return undefined;
    const { version }: { readonly version: string } = JSON.parse(manifest.toString('utf8'));
    return prepareClientFiles(version, { 'client.tgz': archive, 'client.js': script });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

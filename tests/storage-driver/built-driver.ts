// The local driver as plain JavaScript, for a process of its own that a test may kill.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Translates the driver into `folder` and answers with the path of a module that exports it. */
export async function buildDriver(folder: string): Promise<string> {
  const imports = { '#libs/*': './libs/*/src/index.js' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports }));
  for (const lib of ['libs/wire/src', 'libs/errors/src', 'libs/storage-driver/src']) {
    const files = await readdir(lib, { recursive: true });
    for (const file of files.filter((name) => /(?<!\.test)\.ts$/.test(name))) {
      const target = join(folder, lib, file.replace(/\.ts$/, '.js'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, translate(await readFile(join(lib, file), 'utf8')));
    }
  }
  return join(folder, 'libs/storage-driver/src/index.js');
}

function translate(source: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

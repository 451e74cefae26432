// Compiles files that exist in memory only, as if they were in this folder. The compiler is loaded on first use: most
// tests that use this library do not need it.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';

const here = dirname(fileURLToPath(import.meta.url));

/** The path under which files in memory import the types of the client. */
export const CLIENT_TYPES = '../../sdk/src/types/index.js';

/** Files on disk are parsed once for all programs: the standard library is the largest part. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Returns the errors of the compiler, one line each: `uses.ts:3 Type …`. An empty list means that the files compile.
 */
export async function compileErrors(
  textByFile: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { default: compiler } = await import('typescript');
  const options = optionsOf(compiler);
  const disk = compiler.createCompilerHost(options);
  const texts = new Map(Object.entries(textByFile).map(([name, text]) => [join(here, name), text]));
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => texts.has(file) || disk.fileExists(file),
    readFile: (file) => texts.get(file) ?? disk.readFile(file),
    getSourceFile: (file, version) => {
      const text = texts.get(file);
      if (text !== undefined) return compiler.createSourceFile(file, text, version, true);
      if (!parsed.has(file)) parsed.set(file, disk.getSourceFile(file, version));
      return parsed.get(file);
    },
  };
  const program = compiler.createProgram([...texts.keys()], options, host);
  return compiler.getPreEmitDiagnostics(program).map((found) => {
    const message = compiler.flattenDiagnosticMessageText(found.messageText, ' ');
    return `${placeOf(found)}${message}`;
  });
}

function optionsOf(compiler: typeof ts): ts.CompilerOptions {
  return {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: compiler.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: compiler.ModuleKind.NodeNext,
    moduleResolution: compiler.ModuleResolutionKind.NodeNext,
    types: [],
  };
}

function placeOf({ file, start }: ts.Diagnostic): string {
  if (file === undefined) return '';
  const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
  return `${file.fileName.slice(here.length + 1)}:${line + 1} `;
}

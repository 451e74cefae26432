// How TypeScript becomes JavaScript in tests: with the decorators that NestJS and TypeORM read, and no types checked.
export const compilerOptions = {
  configFile: false,
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

/** The code of a source file and its source map. */
export async function compile(text, filename) {
  const { transform } = await import('@swc/core'); // Whoever finds all files compiled does without it.
  const { code, map } = await transform(text, { ...compilerOptions, sourceMaps: true, filename });
  return { code, map };
}

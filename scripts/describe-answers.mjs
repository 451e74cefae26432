// Writes the schemas of the routes' answers as JSON schemas into src/docs/answers.ts of both applications. The types of
// the controllers' methods are the only source: run it after changing one (`npm run describe`); a test compares.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const applications = ['apps/api/src', 'apps/console/server/src'];
const verbs = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'All']);

/** The files to write: their texts by their paths. */
export function describeAnswers() {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.build.json'), {}, ts.sys);
  const program = ts.createProgram(config.fileNames, config.options);
  return Object.fromEntries(
    applications.map((folder) => [`${folder}/docs/answers.ts`, textOf(program, folder)]),
  );
}

function textOf(program, folder) {
  const writer = new SchemaWriter(program.getTypeChecker());
  const answers = {};
  for (const file of program.getSourceFiles()) {
    const path = relative(root, file.fileName).replaceAll('\\', '/');
    if (!path.startsWith(`${folder}/`) || !path.endsWith('.controller.ts')) continue;
    file.forEachChild((node) => {
      if (!ts.isClassDeclaration(node) || node.name === undefined) return;
      for (const member of node.members) {
        if (!ts.isMethodDeclaration(member) || !isRoute(member)) continue;
        const schema = writer.answerOf(member);
        if (schema !== undefined) answers[`${node.name.text}.${member.name.getText()}`] = schema;
      }
    });
  }
  return [
    '// Written by scripts/describe-answers.mjs from the types of the controllers: do not change it by hand.',
    '',
    '/** What routes answer with, by controller and method. */',
    `export const answers: Readonly<Record<string, object>> = {`,
    ...lines(answers),
    '};',
    '',
    '/** The schemas that the answers refer to. */',
    'export const schemas: Readonly<Record<string, object>> = {',
    ...lines(Object.fromEntries([...writer.named].sort(([a], [b]) => (a < b ? -1 : 1)))),
    '};',
    '',
  ].join('\n');
}

function lines(values) {
  return Object.entries(values).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
}

function isRoute(method) {
  const decorators = ts.getDecorators(method) ?? [];
  return decorators.some(
    ({ expression }) =>
      ts.isCallExpression(expression) && verbs.has(expression.expression.getText()),
  );
}

class SchemaWriter {
  named = new Map();
  types = new Map();

  constructor(checker) {
    this.checker = checker;
  }

  /** The schema of what a method resolves with; undefined for nothing, and for what it sends by itself. */
  answerOf(method) {
    const signature = this.checker.getSignatureFromDeclaration(method);
    const returned = this.checker.getReturnTypeOfSignature(signature);
    const type = this.checker.getAwaitedType(returned) ?? returned;
    const isNothing = ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never;
    return type.flags & isNothing ? undefined : this.schemaOf(type);
  }

  schemaOf(type) {
    if (type.aliasSymbol?.name === 'JsonBytes') return this.schemaOf(type.aliasTypeArguments[0]);
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & (ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral))
      return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: type.intrinsicName === 'true' };
    if (flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return { type: 'string' };
    if (flags & ts.TypeFlags.Number) return { type: 'number' };
    if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isUnion()) return this.unionOf(type);
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const [item] = this.checker.getTypeArguments(type);
      return { type: 'array', items: item === undefined ? {} : this.schemaOf(item) };
    }
    if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.objectOf(type);
    return {};
  }

  unionOf(type) {
    const members = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const schemas = members.map((member) => this.schemaOf(member));
    const isBoolean = (value) => schemas.some((schema) => schema.const === value);
    const rest = schemas.filter(({ const: value }) => typeof value !== 'boolean');
    if (isBoolean(true) && isBoolean(false)) rest.push({ type: 'boolean' });
    else rest.push(...schemas.filter(({ const: value }) => typeof value === 'boolean'));
    if (rest.length === 1) return rest[0];
    if (rest.every((schema) => 'const' in schema || schema.type === 'null')) {
      return { enum: rest.map((schema) => ('const' in schema ? schema.const : null)) };
    }
    const plain = rest.filter(({ type: name }) => typeof name === 'string' && name !== 'null');
    if (rest.length === 2 && plain.length === 1 && rest.some(({ type: name }) => name === 'null')) {
      return { ...plain[0], type: [plain[0].type, 'null'] };
    }
    const texts = new Set(rest.map((schema) => JSON.stringify(schema)));
    return { anyOf: [...texts].map((text) => JSON.parse(text)) };
  }

  objectOf(type) {
    const name = type.aliasSymbol?.name ?? type.symbol?.name ?? '__type';
    if (name === 'Date') return { type: 'string', format: 'date-time' };
    if (['Buffer', 'Uint8Array', 'Readable'].includes(name)) return {};
    const isNamed =
      !name.startsWith('__') && !['Record', 'Readonly', 'Pick', 'Omit', 'Partial'].includes(name);
    const known = this.types.get(type);
    if (known !== undefined) return { $ref: `#/components/schemas/${known}` };
    if (!isNamed) return this.propertiesOf(type);
    const free = this.freeName(name, type);
    this.types.set(type, free);
    this.named.set(free, {});
    this.named.set(free, this.propertiesOf(type));
    return { $ref: `#/components/schemas/${free}` };
  }

  /** Generic types have one name for several shapes. */
  freeName(name, type) {
    const [argument] = [...(type.aliasTypeArguments ?? []), ...(type.typeArguments ?? [])];
    const of = argument?.aliasSymbol?.name ?? argument?.symbol?.name ?? '';
    const wanted = of.startsWith('__') ? name : `${name}${of}`;
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? wanted : `${wanted}${number}`;
      if (!this.named.has(free)) return free;
    }
  }

  propertiesOf(type) {
    const properties = {};
    const required = [];
    for (const property of this.checker.getPropertiesOfType(type)) {
      const declared = this.checker.getTypeOfSymbol(property);
      if (this.checker.getSignaturesOfType(declared, ts.SignatureKind.Call).length > 0) continue;
      if (property.name.startsWith('__@')) continue;
      const about = ts.displayPartsToString(property.getDocumentationComment(this.checker));
      const schema = this.schemaOf(declared);
      properties[property.name] =
        about === '' || '$ref' in schema ? schema : { ...schema, description: about };
      const isOptional = property.flags & ts.SymbolFlags.Optional;
      const mayBeAbsent =
        declared.isUnion() && declared.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);
      if (!isOptional && !mayBeAbsent) required.push(property.name);
    }
    const index = this.checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: this.schemaOf(index) }),
    };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of Object.entries(describeAnswers()))
    writeFileSync(join(root, path), text);
}

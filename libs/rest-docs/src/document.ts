// Builds the description of a project's REST API for one caller: an OpenAPI document from the catalog and the caller's
// rights. It contains only what the caller may use. It knows neither requests nor connections.
import type { Catalog } from '#libs/catalog';
import type { Steps } from '#libs/steps';

import { batchPath, batchSchemas } from './batch-path.js';
import { functionPath } from './function-paths.js';
import type { OpenApiDocument, PathItem, Schema } from './openapi.js';
import { filterParameters, sharedParameters } from './parameters.js';
import { sharedHeaders, sharedResponses, sharedSchemas } from './responses.js';
import type { CallerRights } from './rights.js';
import { type SchemaContext, tableSchemas } from './table-schemas.js';
import { tablePath, tableResponses } from './table-paths.js';
import { type Visible, type VisibleTable, visibleTo } from './visible.js';

export interface DocumentInput {
  /** The name of the project. */
  readonly title: string;
  /** Address of the routes, absolute or relative to the document: `https://…/rest/v1`. */
  readonly serverUrl: string;
  readonly catalog: Catalog;
  readonly rights: CallerRights;
  /** The schema whose functions are described; with `public` tables are described, too. */
  readonly schema: string;
  /** SECURITY DEFINER functions that may be called nevertheless. */
  readonly definerFunctions: readonly string[];
  /** The maximum number of rows of an answer. */
  readonly maxRows: number;
}

/**
 * Returns, in steps, the OpenAPI document of what the caller with these rights may use. Equal input gives an equal
 * document.
 */
export function* restDocument(input: DocumentInput): Steps<OpenApiDocument> {
  const { catalog } = input;
  const visible = visibleTo(input);
  const tables = [...visible.tableByName.values()];
  const context: SchemaContext = { visible, enums: catalog.enumByType };
  return {
    openapi: '3.1.0',
    info: {
      title: input.title,
      version: catalog.schemaVersion,
      description:
        'The tables and functions that the caller of this document may use. ' +
        'Policies decide which rows of them.' +
        leftOutNote(visible),
    },
    servers: [{ url: input.serverUrl }],
    security: [{}, { bearer: [] }, { apikey: [] }, { apikey: [], bearer: [] }],
    tags: tagsOf(visible),
    paths: yield* pathsOf(visible, context),
    components: {
      schemas: yield* schemasOf(visible, context),
      parameters: {
        ...sharedParameters(input.maxRows),
        ...(yield* componentsOf(tables, (own) => filterParameters(own, context.enums))),
      },
      headers: sharedHeaders,
      responses: {
        ...(yield* componentsOf(tables, tableResponses)),
        ...sharedResponses(),
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A session token: the request runs as its user.',
        },
        apikey: {
          type: 'apiKey',
          in: 'header',
          name: 'apikey',
          description: 'A publishable or a secret key of the project.',
        },
      },
    },
  };
}

/** Components of all `tables` by their names. */
function* componentsOf<Component>(
  tables: readonly VisibleTable[],
  componentsOfTable: (own: VisibleTable) => readonly (readonly [string, Component])[],
): Steps<Readonly<Record<string, Component>>> {
  const components: (readonly [string, Component])[] = [];
  for (const own of tables) {
    components.push(...componentsOfTable(own));
    yield;
  }
  return Object.fromEntries(components);
}

function leftOutNote({ leftOut: { tables, functions } }: Visible): string {
  if (tables === 0 && functions === 0) return '';
  const counts = `${counted(tables, 'table')}, ${counted(functions, 'function')}`;
  return ` Left out because of the length of this document: ${counts}. They can still be used.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function tagsOf({ tables, functions }: Visible): OpenApiDocument['tags'] {
  const tags = [
    ...tables.map(({ table, rights }) => ({
      name: table.name,
      ...(rights.comment !== undefined && { description: rights.comment }),
    })),
    ...functions.map(({ name }) => ({ name: `rpc ${name}` })),
    ...(batchPath(tables) === undefined ? [] : [{ name: 'batch' }]),
  ];
  // A table may have the name of another tag.
  return [...new Map(tags.map((tag) => [tag.name, tag])).values()];
}

/** The batch route has the path of a table with this name, into which rows cannot be inserted then. */
function* pathsOf(
  visible: Visible,
  context: SchemaContext,
): Steps<Readonly<Record<string, PathItem>>> {
  const paths = new Map<string, PathItem>();
  for (const own of visible.tables) {
    const [path, item] = tablePath(own);
    paths.set(path, item);
    yield;
  }
  const batch = batchPath(visible.tables);
  if (batch !== undefined) paths.set('/batch', { ...paths.get('/batch'), ...batch });
  for (const own of visible.functions) {
    const [path, item] = functionPath(own, context);
    paths.set(path, item);
    yield;
  }
  return Object.fromEntries(paths);
}

function* schemasOf(
  visible: Visible,
  context: SchemaContext,
): Steps<Readonly<Record<string, Schema>>> {
  return {
    ...(yield* componentsOf([...visible.tableByName.values()], (own) =>
      tableSchemas(own, context),
    )),
    ...Object.fromEntries(batchSchemas(visible.tables)),
    ...sharedSchemas,
  };
}

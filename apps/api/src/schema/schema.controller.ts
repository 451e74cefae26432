import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { JsonBytes } from '#libs/database';
import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { readFunction } from './read-function.js';
import { readSchema } from './read-schema.js';
import { readTable } from './read-table.js';
import { SchemaQuery } from './schema.dto.js';
import type { FunctionDetails, SchemaContent } from './schema-content.js';
import type { TableDetails } from './table-details.sql.js';

/** Tables, enums and functions of a project as they are now. Changes are SQL: `POST /api/admin/sql`. */
@ApiTags('admin')
@Controller(['api/admin/schema', 'admin/schema'])
export class SchemaController {
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The tables, enums and functions of a schema' })
  read(
    @Project() project: ProjectRuntime,
    @Query() { schema }: SchemaQuery,
  ): Promise<JsonBytes<SchemaContent>> {
    return readSchema(project, schema);
  }

  @Get('tables/:table')
  @Header('content-type', 'application/json; charset=utf-8')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Indexes, constraints, triggers, policies and grants of a table' })
  table(
    @Project() project: ProjectRuntime,
    @Param('table') table: string,
    @Query() { schema }: SchemaQuery,
  ): Promise<JsonBytes<TableDetails>> {
    return readTable(project, { schema, table });
  }

  @Get('functions/:id')
  @Header('content-type', 'application/json; charset=utf-8')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The definition of a function, and the roles that may call it' })
  function(
    @Project() project: ProjectRuntime,
    @Param('id') id: string,
  ): Promise<JsonBytes<FunctionDetails>> {
    return readFunction(project, id);
  }
}

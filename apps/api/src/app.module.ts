import { type DynamicModule, Global, Module } from '@nestjs/common';

import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ClientModule } from './client/client.module.js';
import { FunctionsModule } from './functions/functions.module.js';
import { HealthModule } from './health/health.module.js';
import { HooksModule } from './hooks/hooks.module.js';
import { type ApiDeps, apiDepsToken } from './http/api-deps.js';
import { InboxModule } from './inbox/inbox.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { PoliciesModule } from './policies/policies.module.js';
import { QueriesModule } from './queries/queries.module.js';
import { RealtimeModule } from './realtime/realtime.module.js';
import { RequestsModule } from './requests/requests.module.js';
import { RestModule } from './rest/rest.module.js';
import { RestDocsModule } from './rest-docs/rest-docs.module.js';
import { RowsModule } from './rows/rows.module.js';
import { SchemaModule } from './schema/schema.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { SqlModule } from './sql/sql.module.js';
import { SsoModule } from './sso/sso.module.js';
import { StorageModule } from './storage/storage.module.js';
import { StudioModule } from './studio/studio.module.js';
import { TypesModule } from './types/types.module.js';
import { UsersModule } from './users/users.module.js';

/** The composition root: the only list of modules. */
@Global()
@Module({
  imports: [
    RestModule,
    RestDocsModule,
    RowsModule,
    AuthModule,
    UsersModule,
    SettingsModule,
    InboxModule,
    MessagesModule,
    HooksModule,
    SsoModule,
    AuditModule,
    RequestsModule,
    SqlModule,
    PoliciesModule,
    QueriesModule,
    RealtimeModule,
    StorageModule,
    FunctionsModule,
    SchemaModule,
    TypesModule,
    StudioModule,
    ClientModule,
    HealthModule,
  ],
})
export class AppModule {
  static with(deps: ApiDeps): DynamicModule {
    const provider = { provide: apiDepsToken, useValue: deps };
    return { module: AppModule, providers: [provider], exports: [provider] };
  }
}

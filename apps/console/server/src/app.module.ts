import { type DynamicModule, Module } from '@nestjs/common';
import { AuditModule } from './audit/audit.module.js';
import { ClientModule } from './client/client.module.js';
import { DeploymentModule } from './deployment/deployment.module.js';
import { ConsoleDeps } from './http/console-deps.js';
import { HttpModule } from './http/http.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { OperatorsModule } from './operators/operators.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { PagesModule } from './pages/pages.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { ProxyModule } from './proxy/proxy.module.js';
import { UsageModule } from './usage/usage.module.js';

/** The composition root: the only list of modules. */
@Module({})
export class AppModule {
  static forRoot(deps: ConsoleDeps): DynamicModule {
    return {
      module: AppModule,
      imports: [
        HttpModule.forRoot(deps),
        OperatorsModule,
        OrganizationsModule,
        ProjectsModule,
        OperationsModule,
        UsageModule,
        AuditModule,
        DeploymentModule,
        ProxyModule,
        ClientModule,
        PagesModule,
      ],
    };
  }
}

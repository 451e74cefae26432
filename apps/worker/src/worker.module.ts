import { type DynamicModule, Module } from '@nestjs/common';

import { DatabaseLimits } from './databases/database-limits.js';
import { Looks } from './deliveries/looks.js';
import { DomainChecks } from './domains/domain-checks.js';
import { dutiesToken, type Duty, DutyRunner } from './duties.js';
import { ConnectionShares } from './logins/connection-shares.js';
import { LeftoverLogins } from './logins/leftover-logins.js';
import { LoginRepairs } from './logins/login-repairs.js';
import { InvitationMails } from './messages/invitation-mails.js';
import { MessageRelay } from './messages/message-relay.js';
import { MessageSender } from './messages/message-sender.js';
import { DueOperations } from './operations/due-operations.js';
import { OperationRunner } from './operations/operation-runner.js';
import { HourlyRound } from './operations/hourly-round.js';
import { type WorkerDeps, workerDepsToken } from './worker-deps.js';

const duties = [
  DueOperations,
  InvitationMails,
  MessageRelay,
  Looks,
  LeftoverLogins,
  LoginRepairs,
  ConnectionShares,
  DatabaseLimits,
  DomainChecks,
  HourlyRound,
];

@Module({})
export class WorkerModule {
  static with(deps: WorkerDeps): DynamicModule {
    return {
      module: WorkerModule,
      providers: [
        { provide: workerDepsToken, useValue: deps },
        ...duties,
        { provide: dutiesToken, useFactory: (...all: readonly Duty[]) => all, inject: duties },
        OperationRunner,
        MessageSender,
        DutyRunner,
      ],
    };
  }
}

// A project with an administrator, and its studio in Chromium.
import type { BrowserContextOptions, Page } from 'playwright-core';

import { asRecord } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { signIn, type World } from './world.js';

export const adminEmail = 'admin@example.org';
export const adminPassword = 'a good long password';

export class Studio {
  private constructor(
    readonly world: World,
    readonly project: ProjectUnderTest,
    /** Of the project's host. */
    readonly origin: string,
    readonly adminId: string,
  ) {}

  /** The studio of a new project with an administrator. */
  static async open(world: World): Promise<Studio> {
    const project = await world.deployment.createProject();
    const origin = world.deployment.apiOrigin.replace('127.0.0.1', project.host);
    const reply = await project.asService({
      method: 'POST',
      path: '/api/admin/users',
      body: { email: adminEmail, password: adminPassword, role: 'ADMIN', name: 'Ada' },
    });
    const id = String(asRecord(asRecord(reply.body)['user'])['id']);
    const studio = new Studio(world, project, origin, id);
    await studio.limitSignIns(1_000);
    return studio;
  }

  /** Sets how often one account may try to sign in within a minute. */
  async limitSignIns(perIdentifier: number): Promise<void> {
    const path = '/api/admin/settings/auth.rateLimits';
    const body = { signIn: { perIdentifier, perAddress: 1_000 } };
    await this.ask({ method: 'PUT', path, body });
  }

  /** A tab of a new person at a path of the studio. */
  async visit(path = '', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.world.open('/sign-in', options);
    await page.goto(`${this.origin}/studio${path}`);
    return page;
  }

  /** A tab of the administrator at a path of the studio. */
  async enter(path = '', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.visit(path, options);
    await signIn(page, adminEmail, adminPassword);
    return page;
  }

  /** A request with the secret key, which must succeed. */
  async ask(call: Call): Promise<Reply> {
    const reply = await this.project.asService(call);
    if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
    return reply;
  }
}

import { Controller, Get, Header, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';
import { smallJson } from '#libs/web';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { scopeOf } from '../http/request-scope.js';
import { callEngine, forwardToEngine, relay, sameInEngine } from './call-engine.js';
import { type AdminSession, readAdminSession, signInToStudio, verifyForStudio } from './studio.js';

const account = { area: 'auth' } as const;
/** The engine counts a request before it reads the body. */
const ofEngine = { ...account, body: { kind: 'bytes', maxBytes: smallJson.maxBytes } } as const;

/** How administrators sign in where a project serves its own studio (spec: Admin and console routes). */
@ApiTags('admin')
@Controller()
export class StudioController {
  @Post('auth/login')
  @Access('public', ofEngine)
  @ApiOperation({ summary: 'Sign in as an administrator of the project' })
  async login(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await relay(await signInToStudio(scopeOf(request), request), reply);
  }

  @Get('auth/get-session')
  @Access('public', account)
  @ApiOperation({ summary: 'Read the session of the caller; null without one' })
  async session(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const call = { method: 'GET', path: sameInEngine(request) } as const;
    await relay(await callEngine(scopeOf(request), request, call), reply);
  }

  @Post('auth/two-factor/enable')
  @Access('admin', 'content.read', ofEngine)
  @ApiOperation({ summary: 'Begin the enrolment of a second factor with your password' })
  enable(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return forward(request, reply);
  }

  @Post('auth/two-factor/verify-totp')
  @Access('public', ofEngine)
  @ApiOperation({ summary: 'Complete a sign-in or an enrolment with a code' })
  async verify(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await relay(await verifyForStudio(scopeOf(request), request), reply);
  }

  @Post('auth/two-factor/disable')
  @Access('admin', 'content.read', ofEngine)
  @ApiOperation({ summary: 'Take your second factor away with your password' })
  disable(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return forward(request, reply);
  }

  @Get(['api/admin/session', 'admin/session'])
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Who administers: a session, an operator or the secret key' })
  adminSession(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
  ): Promise<AdminSession> {
    return readAdminSession(project, caller);
  }
}

async function forward(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const path = sameInEngine(request);
  await relay(await forwardToEngine(scopeOf(request), request, { path }), reply);
}

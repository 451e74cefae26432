// What a user would otherwise write: NestJS on Fastify, TypeORM, a JWT guard, validated bodies. It trusts
// the token until it expires and checks rights in code, so it does less than the product does.
// Arguments: connection string, JWT secret.

import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { announce } from '../../servers/announce.js';
import { Author, Comment, Post } from './entities.js';
import { JWT_SECRET } from './jwt.guard.js';
import { PostsController } from './posts.controller.js';
import { PostsService } from './posts.service.js';

const POOL_SIZE = 16;
const [url = '', secret = ''] = process.argv.slice(2);

@Module({
  controllers: [PostsController],
  providers: [
    PostsService,
    { provide: JWT_SECRET, useValue: secret },
    {
      provide: DataSource,
      useFactory: () =>
        new DataSource({
          type: 'postgres',
          url,
          entities: [Author, Comment, Post],
          poolSize: POOL_SIZE,
        }).initialize(),
    },
  ],
})
class PeerModule {}

const app = await NestFactory.create<NestFastifyApplication>(PeerModule, new FastifyAdapter(), {
  logger: ['error', 'warn'],
});
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(0, '127.0.0.1');
announce(app.getHttpAdapter().getInstance().server);

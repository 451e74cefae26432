import 'reflect-metadata';

import { expect, test } from 'vitest';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiProperty } from '@nestjs/swagger';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { readControllers } from './read-controllers.js';

class Star {
  @ApiProperty()
  name = '';
}

@Controller('stars')
class StarsController {
  @Get()
  list(): Star[] {
    return [];
  }
}

@Controller('stars')
class BrightStarsController {
  @Get('bright')
  bright(): void {}
}

@Module({ controllers: [StarsController] })
class StarsModule {}

@Module({ controllers: [BrightStarsController], imports: [StarsModule] })
class AppModule {}

test('reads every module, one in each step', async () => {
  const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
  const steps = readControllers(app);
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  expect(count).toBeGreaterThanOrEqual(2);
  expect(Object.keys(step.value.paths).toSorted()).toEqual(['/stars', '/stars/bright']);
  await app.close();
});

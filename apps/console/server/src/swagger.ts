import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** Serves the description of the console's API at `/docs`, and as JSON at `/docs/json`. */
export function serveDocs(app: NestFastifyApplication): void {
  const config = new DocumentBuilder()
    .setTitle('Rowhouse console')
    .setDescription('Operators, organizations and projects of a deployment.')
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config), {
    jsonDocumentUrl: 'docs/json',
    raw: ['json'],
    customSiteTitle: 'Rowhouse console',
  });
}

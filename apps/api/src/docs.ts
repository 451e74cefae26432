import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

const description = `The core routes of a project. The table routes \`/rest/v1/:table\` depend on the project's
own tables and policies; \`GET /rest/v1/\` describes them for whoever asks.`;

/** Serves Swagger UI at \`/api/docs\` (spec: Health and documentation). */
export function serveDocs(app: NestFastifyApplication): void {
  const config = new DocumentBuilder()
    .setTitle('Rowhouse project API')
    .setDescription(description)
    .addBearerAuth({ type: 'http', description: 'Session token' })
    .addApiKey({ type: 'apiKey', in: 'header', name: 'apikey' }, 'apikey')
    .build();
  SwaggerModule.setup('api/docs', app, () => SwaggerModule.createDocument(app, config), {
    jsonDocumentUrl: 'api/docs/json',
    yamlDocumentUrl: 'api/docs/yaml',
  });
}

// What the description says of operations beyond their controllers: bodies that are read without a class, and answers
// that a method sends by itself. By `Controller.method`; the words of all tags are here too.
import type { Json } from '#libs/web';

export const tags: Readonly<Record<string, string>> = {
  rest: 'Tables and functions of the project',
  auth: 'Accounts and sessions; a project serves those that its settings turn on',
  users: 'The own account',
  files: 'Files by id or by bucket and key',
  storage: 'Public files, and files by tokens of a bucket',
  functions: 'Edge functions',
  realtime: 'Channels: changes of tables, messages and presence',
  admin: 'Administration: for administrators, the secret key and operators',
  health: 'Whether the project works',
  server: 'The server itself, whatever the project',
};

const text = { type: 'string' };
const binary = { ...text, format: 'binary' };
const object = { type: 'object', additionalProperties: true };
const jsonBody = (schema: object): Json => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});
const answered = (description: string, type: string, schema: object): Json => ({
  responses: { 200: { description, content: { [type]: { schema } } } },
});
const bytes = answered('The bytes', '*/*', binary);
const headers = (summary?: string): Json => ({
  ...(summary !== undefined && { summary }),
  responses: { 200: { description: 'The headers' } },
});
const fields = (...names: readonly string[]): object => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const password = jsonBody(fields('password'));
const openApi: Json = {
  responses: {
    200: {
      description: 'The document; under its own media type where `Accept` names it',
      content: {
        'application/json': { schema: object },
        'application/openapi+json': { schema: object },
      },
    },
  },
};
const signIn = answered(
  'The token and the user, or the challenge of a second factor',
  'application/json',
  object,
);
const health = {
  type: 'object',
  required: ['message', 'status', 'db'],
  properties: {
    message: text,
    status: { enum: [200, 503] },
    db: { enum: ['connected', 'disconnected'] },
  },
};
const healthAnswer = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: health } },
});

const functionFields = ['name', 'route', 'isPublic', 'entrypoint'];
/** The code of a function as JSON, or the files of a .zip with the other fields in the URL. */
const code = (schema: string, fields: readonly string[]): Json => ({
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
      'application/zip': {
        schema: {
          ...binary,
          description: `The files; ${fields.join(', ')} are parameters of the URL.`,
        },
        example: 'The bytes of the archive',
      },
    },
  },
});

/** A message to a topic. */
const message = {
  type: 'object',
  required: ['topic', 'event'],
  additionalProperties: false,
  properties: {
    topic: { ...text, minLength: 1, maxLength: 255 },
    event: { ...text, minLength: 1, maxLength: 255 },
    payload: { description: 'Any JSON value; null if it is left out.' },
    private: { type: 'boolean', default: false, description: 'Whether the topic is private' },
  },
};

/** An error of a script, with its place. Properties say nothing of details that are no object. */
const sqlError = (description: string): Json => ({
  description,
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          {
            properties: {
              details: {
                description:
                  'Of an error in the script: the place that PostgreSQL names, or where the statement begins.',
                properties: {
                  statement: { type: 'integer', description: 'Which statement; the first is 1.' },
                  line: { type: 'integer', description: 'In the script; the first is 1.' },
                  column: { type: 'integer', description: 'In characters; the first is 1.' },
                  detail: { type: 'string', description: 'The detail that PostgreSQL gives.' },
                },
              },
            },
          },
        ],
      },
    },
  },
});

export const details: Readonly<Record<string, Json>> = {
  'RestDocsController.describe': openApi,
  'AdminRestDocsController.page': answered('The page', 'text/html', text),
  'AdminRestDocsController.document': openApi,
  'StudioController.login': { ...jsonBody(fields('email', 'password')), ...signIn },
  'StudioController.session': answered('The session, or null', 'application/json', {
    type: ['object', 'null'],
  }),
  'StudioController.enable': {
    ...password,
    ...answered('What the authenticator needs', 'application/json', object),
  },
  'StudioController.verify': {
    ...jsonBody({
      ...fields('code'),
      properties: { code: text, trustDevice: { type: 'boolean' } },
    }),
    ...signIn,
  },
  'StudioController.disable': { ...password, ...answered('Done', 'application/json', object) },
  'MeController.delete': { responses: { 204: { description: 'Done' } } },
  'ReadFilesController.objectHead': headers('Read the headers of a file by its key'),
  'ReadFilesController.object': bytes,
  'ReadFilesController.rawHead': headers('Read the headers of a file'),
  'ReadFilesController.raw': bytes,
  'BucketFilesController.readHead': headers(),
  'BucketFilesController.read': bytes,
  'FileImagesController.render': answered('The image', 'image/*', binary),
  'ImagesController.render': answered('The image', 'image/*', binary),
  'UploadsController.put': {
    responses: { 201: { description: 'The file' } },
    requestBody: { required: true, content: { '*/*': { schema: binary } } },
  },
  'UploadsController.uploadToBucket': {
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: { $ref: '#/components/schemas/UploadBody' },
          example: { path: 'notes.txt', file: 'Hello, world' },
        },
        'application/octet-stream': { schema: binary, example: 'Hello, world' },
      },
    },
  },
  'SqlController.run': {
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/RunSqlBody' } },
        'application/sql': {
          schema: { ...text, description: 'The script itself, in UTF-8; it takes no params.' },
          example: 'select 1 as one',
        },
      },
    },
    responses: {
      200: { description: 'The rows of the last statement that gives rows' },
      400: sqlError('The script is not valid, or its data is refused'),
      403: sqlError('The caller has no right to this, or the script has none'),
      404: sqlError('The script names a table or a function that does not exist'),
      409: sqlError('The script breaks a unique or a foreign key, or lost against another change'),
    },
  },
  'FiguresController.feed': answered(
    'The events, until the time is over',
    'text/event-stream',
    text,
  ),
  'InspectorController.inspect': answered(
    'The events, until the time is over or no listener is left',
    'text/event-stream',
    text,
  ),
  'InspectorController.send': { responses: { 204: { description: 'The message is sent' } } },
  'RequestsController.feed': answered(
    'The requests, until the time is over',
    'text/event-stream',
    text,
  ),
  'FunctionsController.create': code('NewFunctionBody', ['slug', ...functionFields]),
  'FunctionsController.deploy': code('FunctionCodeBody', functionFields),
  'FunctionRecordsController.stream': answered(
    'The log lines and calls, until the time is over',
    'text/event-stream',
    text,
  ),
  'BroadcastController.send': {
    ...jsonBody({
      type: 'object',
      required: ['messages'],
      additionalProperties: false,
      properties: { messages: { type: 'array', minItems: 1, maxItems: 100, items: message } },
    }),
    responses: { 202: { description: 'The messages are sent' } },
  },
  'SocketController.open': {
    description: 'Takes WebSockets alone; every other request is 426 `UPGRADE_REQUIRED`.',
    responses: {
      426: {
        description: 'The request does not ask for a WebSocket',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  },
  'ClientController.archive': answered('The archive', 'application/gzip', {
    type: 'string',
    format: 'binary',
  }),
  'ClientController.script': answered('The module', 'text/javascript', text),
  'ClientController.channels': answered('The module', 'text/javascript', text),
  'HealthController.check': {
    responses: { 200: healthAnswer('Both answer'), 503: healthAnswer('The database does not') },
  },
  'ServerController.live': { summary: 'Check that the process answers' },
  'ServerController.ready': { summary: 'Check that the process can serve requests' },
  'ServerController.metrics': {
    summary: 'Read the figures of the process, for Prometheus',
    description:
      'Takes the `METRICS_TOKEN` of the server as bearer token. Without that variable it is 404.',
  },
};

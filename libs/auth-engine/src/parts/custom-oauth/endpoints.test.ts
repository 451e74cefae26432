import { afterEach, beforeEach, expect, vi, test } from 'vitest';
import type { OutboundCall } from '../../auth-config.js';
import { DiscoveredEndpoints } from './endpoints.js';

const hourMs = 3_600_000;
const document = {
  issuer: 'https://idp.example',
  authorization_endpoint: 'https://idp.example/authorize',
  token_endpoint: 'https://idp.example/token',
};
let answer: () => Promise<object>;
let asked: number;
let logged: string[];

beforeEach(() => {
  vi.useFakeTimers();
  [asked, logged] = [0, []];
  answer = () => Promise.resolve(document);
});
afterEach(() => void vi.useRealTimers());

const call: OutboundCall = async () => {
  asked += 1;
  return { status: 200, headers: new Headers(), text: JSON.stringify(await answer()) };
};

function discover(given: { readonly tokenUrl?: string } = {}): DiscoveredEndpoints {
  return new DiscoveredEndpoints({
    providerId: 'acme',
    discoveryUrl: 'https://idp.example/.well-known/openid-configuration',
    issuer: undefined,
    given,
    call,
    log: ({ message }) => logged.push(message),
  });
}

test('nothing is asked before the endpoints are needed', () => {
  expect(discover().known()).toBeUndefined();
  expect(asked).toBe(0);
});

test('addresses of the settings count more than those of the document', async () => {
  const endpoints = await discover({ tokenUrl: 'https://given.example/token' }).find();
  expect(endpoints).toMatchObject({
    authorizationUrl: 'https://idp.example/authorize',
    tokenUrl: 'https://given.example/token',
  });
});

test.each([
  { named: undefined, ways: ['basic'] },
  { named: ['client_secret_post'], ways: ['post'] },
  { named: ['client_secret_post', 'client_secret_basic'], ways: ['basic', 'post'] },
  { named: ['private_key_jwt'], ways: ['basic'] },
])('clients that authenticate by $named try $ways', async ({ named, ways }) => {
  answer = async () => ({ ...document, token_endpoint_auth_methods_supported: named });
  expect((await discover().find()).tokenAuthentication).toEqual(ways);
});

test('after an hour the old endpoints serve once more while new ones are fetched', async () => {
  const source = discover();
  await source.find();
  vi.advanceTimersByTime(hourMs + 1);
  answer = async () => ({ ...document, token_endpoint: 'https://idp.example/new' });
  expect((await source.find()).tokenUrl).toBe('https://idp.example/token');
  await vi.advanceTimersByTimeAsync(1);
  expect(source.known()?.tokenUrl).toBe('https://idp.example/new');
  expect(asked).toBe(2);
});

test('endpoints that are known outlive a failure to fetch new ones', async () => {
  const source = discover();
  await source.find();
  vi.advanceTimersByTime(hourMs + 1);
  answer = () => Promise.reject(new Error('down'));
  expect((await source.find()).tokenUrl).toBe('https://idp.example/token');
  await vi.advanceTimersByTimeAsync(1);
  expect((await source.find()).tokenUrl).toBe('https://idp.example/token');
  expect(logged).toEqual(['The discovery document of the provider acme cannot be used']);
});

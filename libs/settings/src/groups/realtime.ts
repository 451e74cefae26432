import { mostBindings } from '#libs/realtime-core';

import { defineGroup } from '../define-group.js';
import { integer, object } from '../field.js';

const kibibyte = 1024;

export const realtime = defineGroup('realtime', {
  title: 'Channels',
  help: 'How much clients may do over channels. Limits for all clients count in each server process.',
  rebuilds: [],
  capability: 'settings.manage',
  fields: {
    maxConnections: integer({
      label: 'Open connections of the project, in each process',
      default: 10_000,
      range: [1, 1_000_000],
    }),
    maxChannels: integer({
      label: 'Channels of a connection',
      default: 100,
      range: [1, 1000],
    }),
    maxBindings: integer({
      label: 'Table subscriptions of a channel',
      default: 20,
      range: [1, mostBindings],
    }),
    joinsPerSecond: integer({
      label: 'Joins of a connection, per second',
      default: 10,
      range: [1, 1000],
    }),
    joinBurst: integer({
      label: 'Joins of a connection at once',
      help: 'So that a client can join all its channels again after a lost connection.',
      default: 50,
      range: [1, 1000],
    }),
    messagesPerSecond: integer({
      label: 'Messages of a connection, per second',
      default: 50,
      range: [1, 10_000],
    }),
    messageBurst: integer({
      label: 'Messages of a connection at once',
      default: 100,
      range: [1, 10_000],
    }),
    projectMessagesPerSecond: integer({
      label: 'Messages of all connections of a process, per second',
      default: 2500,
      range: [1, 1_000_000],
    }),
    maxFrameBytes: integer({
      label: 'Maximum size of a frame of a client, in bytes',
      default: 256 * kibibyte,
      range: [kibibyte, 512 * kibibyte],
    }),
    presence: object({
      label: 'Presence',
      fields: {
        maxBytes: integer({
          label: 'Maximum size of a payload, in bytes',
          default: 16 * kibibyte,
          range: [64, 64 * kibibyte],
        }),
        maxFields: integer({
          label: 'Fields of a payload',
          default: 10,
          range: [1, 100],
        }),
        updates: integer({
          label: 'Updates of a connection in a window',
          default: 5,
          range: [1, 1000],
        }),
        windowSeconds: integer({
          label: 'Window of updates',
          default: 10,
          range: [1, 3600],
          unit: 's',
        }),
      },
    }),
  },
});

// The front door of this folder: other domains call the auth engine through it.
export { callEngine, relay } from './call-engine.js';

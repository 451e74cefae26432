// The front door of this folder: other domains call the auth engine through it.
export { forwardToEngine, relay } from './call-engine.js';

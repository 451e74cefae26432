// The front door of this folder: other domains put questions to the auth engine through it.
export { askEngine, relay } from './ask-engine.js';

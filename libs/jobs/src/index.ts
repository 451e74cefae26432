export {
  openSignalBus,
  type SignalBus,
  type SignalListener,
  type SignalTransport,
} from './signal-bus.js';

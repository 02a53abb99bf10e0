import { DEVICE_TARGETS } from './device-targets.ts';
import type { Target } from './engine.ts';
import { FILE_TARGETS } from './file-targets.ts';
import { MESSAGE_TARGETS } from './message-targets.ts';
import { NETWORK_TARGETS } from './network-targets.ts';

/** The parsers of external input that are fuzzed. */
export const TARGETS: readonly Target[] = [...DEVICE_TARGETS, ...MESSAGE_TARGETS, ...NETWORK_TARGETS, ...FILE_TARGETS];

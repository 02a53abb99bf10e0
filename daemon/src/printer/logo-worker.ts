/** Decodes one picture in a worker thread, which can be ended if it takes too long. */
import { parentPort, workerData } from 'node:worker_threads';
import { decodePicture } from './decode-picture.ts';
import { rasterOf } from './raster.ts';

parentPort?.postMessage(rasterOf(decodePicture(Buffer.from(workerData as Uint8Array))));

/** A thread that lives for one picture: what it does to time and memory ends with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { decodePicture } from './decode-picture.ts';
import { rasterOf } from './raster.ts';

parentPort?.postMessage(rasterOf(decodePicture(Buffer.from(workerData as Uint8Array))));

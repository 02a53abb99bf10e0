/** Worker thread for one picture: its time and memory end with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { decodePicture } from './decode-picture.ts';
import { rasterOf } from './raster.ts';

parentPort?.postMessage(rasterOf(decodePicture(Buffer.from(workerData as Uint8Array))));

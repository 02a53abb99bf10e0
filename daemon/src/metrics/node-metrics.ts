import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Sampling interval of the event loop's delay; a shorter interval costs CPU without benefit. */
const LOOP_PRECISION_MS = 100;
/**
 * Default Node metrics that are dropped: they are not used, and each costs bytes in every scrape of
 * every kiosk.
 */
const UNWANTED = [
	...['nodejs_active_resources', 'nodejs_active_resources_total', 'nodejs_active_handles', 'nodejs_active_handles_total'],
	...['nodejs_active_requests', 'nodejs_active_requests_total', 'nodejs_gc_duration_seconds', 'nodejs_eventloop_lag_mean_seconds'],
	...['nodejs_heap_space_size_total_bytes', 'nodejs_heap_space_size_used_bytes', 'nodejs_heap_space_size_available_bytes'],
	...['nodejs_eventloop_lag_min_seconds', 'nodejs_eventloop_lag_max_seconds', 'nodejs_eventloop_lag_stddev_seconds'],
	...['nodejs_eventloop_lag_p50_seconds', 'nodejs_eventloop_lag_p90_seconds', 'process_virtual_memory_bytes', 'process_heap_bytes'],
];

/**
 * Adds the metrics of Node and of the process. It is called only at the first scrape, because
 * collecting these metrics costs time at each garbage collection, and most kiosks have no
 * Prometheus.
 */
export function addNodeMetrics(register: Registry): void {
	collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
	for (const name of UNWANTED) register.removeSingleMetric(name);
}

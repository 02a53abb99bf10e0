import { defineMetrics } from './definitions.ts';

const INTRODUCTION = `# Metrics

Generated from \`daemon/src/metrics/definitions.ts\` by \`make docs\`.

\`GET /metrics\` on the technician address (\`[screen] service_listen\`) answers in Prometheus text format, without personal data, invoices
or single payments. Counters start at 0 with each start of the daemon; gauges are read from journal and devices at the time of the request.
Alert rules: \`config/prometheus/kiosk-rules.yml\`. Grafana dashboard: \`config/grafana/kiosk-fleet.json\`. Many kiosks:
[fleet.md](../owner/fleet.md).

\`\`\`sh
curl -s http://127.0.0.1:8082/metrics | grep ^kiosk_
\`\`\`

The 90th percentile of a histogram, in seconds: \`histogram_quantile(0.9, sum by (le) (rate(NAME_bucket[30m])))\`. From the first scrape on, prom-client adds \`process_…\` and \`nodejs_…\` for memory, processor, open files and event loop.

## Values of labels

- \`outcome\` of notes: \`credited\`, \`returned\`, \`in_doubt\`, \`unexplained\`, \`settled_…\`; \`nominal\` is \`unknown\` if the acceptor did not report it
- \`outcome\` of card sales: \`approved\`, \`declined\`, \`not_begun\`, \`unknown\`
- \`outcome\` of rupiah: \`taken\`; \`unknown\` for a card sale with an unknown outcome. \`method\`: \`cash\`, \`card\`, \`qris\` (on the card terminal)
- \`outcome\` of QRIS codes (\`qris\`) and virtual accounts (\`va\`): \`opened\`, \`paid\`, \`closed\` (cancelled, expired, or paid at the kiosk in
  another way)
- \`outcome\` of prints: \`done\`, \`failed\`; of calls for staff: \`called\`, \`answered\`, \`expired\` (15 minutes without staff)
- \`result\` of back-office calls: \`2xx\` to \`5xx\`, or \`timeout\`, \`unreachable\`, \`odd_status\`, \`odd_answer\` (invalid content)
- \`link\`: \`acceptor\`, \`edc\`, \`back_office\`. \`device\`: \`acceptor\`, \`edc\`, \`printer\`; a device that is not configured has no
  series
- \`event\`: ids of [log-events.md](log-events.md), including throttled ones

## QRIS and virtual accounts

The back office settles QRIS codes and virtual accounts. The kiosk counts a code or account as opened when a look-up shows it, and as paid
when the back office reports its invoice paid while the code or account is open. Each code or account is counted once, even across restarts.
The owner’s books are authoritative: a payment that is not reported to the kiosk is missing here, and an invoice paid at the cashier while
its code was open counts as paid by the code.

`;

/** A metric as prom-client holds it, with the names of its labels. */
interface Described {
	readonly name: string;
	readonly help: string;
	readonly labelNames: readonly string[];
}

/** @returns docs/reference/metrics.md: the label values, and a table of the kiosk's own metrics */
export function metricsDocument(): string {
	const metrics = defineMetrics().registry.getMetricsAsArray() as unknown as readonly Described[];
	const rows = metrics
		.filter(({ name }) => name.startsWith('kiosk_'))
		.toSorted((a, b) => a.name.localeCompare(b.name))
		.map(({ name, labelNames, help }) => `| \`${name}\` | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`);
	return `${INTRODUCTION}## The kiosk's metrics\n\n| metric | labels | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

if (import.meta.main) process.stdout.write(metricsDocument());

import type { Ports } from '../ports.ts';

/**
 * @param qris whether the card terminal may show QRIS codes; on a real kiosk the dealer chooses
 * @returns the kiosk.toml of a simulated kiosk with every device on loopback
 */
export const settingsFile = (
	ports: Ports,
	journalDirectory: string,
	qris: boolean,
): string => `# Written by "make run" for a kiosk whose devices are all simulated. Changes here are lost at the next start.
[site]
name = "Bengkel Maju Motor"
timezone = "Asia/Jakarta"

[screen]
listen = "127.0.0.1:${ports.screen}"
service_listen = "127.0.0.1:${ports.service}"

[back_office]
url = "http://127.0.0.1:${ports.backOffice}"
socket_url = "ws://127.0.0.1:${ports.backOffice}/ws/{token}/"

[acceptor]
protocol = "ict"
port = "tcp:127.0.0.1:${ports.acceptor}"

[acceptor.notes]
"0x40" = 1000
"0x41" = 2000
"0x42" = 5000
"0x43" = 10000
"0x44" = 20000
"0x45" = 50000
"0x46" = 100000

[edc]
protocol = "bca-ecr"
port = "tcp:127.0.0.1:${ports.edc}"
qris = ${qris}

[printer]
uri = "ipp://127.0.0.1:${ports.printer}/printers/receipt"
format = "escpos"
columns = 48

[journal]
directory = ${JSON.stringify(journalDirectory)}
`;

import { NOTES } from '../support/kiosk.ts';

/** The host's loopback as seen by the guest (QEMU's user network). */
export const HOST = '10.0.2.2';

/**
 * @returns the kiosk.toml for a kiosk in QEMU: back office and printer on the host, devices on
 * emulated USB adapters
 */
export const kioskToml = (at: { backOfficePort: number; printerPort: number }): string => `[site]
name = "Bengkel Maju Motor"

[screen]
# QEMU has no touch panel. Its tablet, which the system sees as a mouse, and a keyboard replace it.
keyboard = true

[back_office]
url = "http://${HOST}:${at.backOfficePort}"
socket_url = "ws://${HOST}:${at.backOfficePort}/ws/{token}/"

[acceptor]
port = "/dev/kiosk-acceptor"
${NOTES}
[edc]
port = "/dev/kiosk-edc"

[printer]
# A receipt takes longer in an emulated computer.
limit_ms = 600000

[devices]
acceptor = "serial:acceptor"
edc = "serial:edc"
printer = "socket://${HOST}:${at.printerPort}"
`;

/** How far (ms) the clock of this device is ahead of the server's; clocks of phones are often minutes wrong. */
let aheadMs = 0

/** Records the `Date` header of a response that has just arrived. */
export function recordServerDate(header: string | null): void {
  const at = Date.parse(header ?? '')
  if (!Number.isNaN(at)) aheadMs = Date.now() - at
}

/**
 * Returns the server's time (ms since 1970) at a time of this device, to compare with instants that the server wrote;
 * exact to a second or two.
 */
export function serverTimeAt(deviceTime: number): number {
  return deviceTime - aheadMs
}

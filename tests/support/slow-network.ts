import type { Page } from 'playwright-core'

/** 2G: 800 ms there and back, 250 kbit/s. */
export async function slowDown(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Network.enable')
  await debug.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 800,
    downloadThroughput: 250_000 / 8,
    uploadThroughput: 250_000 / 8,
  })
}

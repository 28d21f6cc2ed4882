import type { Page } from 'playwright-core'

/** Round-trip latency (ms) and bandwidth (bit/s). */
const networks = {
  '2G': { latency: 800, rate: 250_000 },
  'slow 3G': { latency: 400, rate: 400_000 },
}

/** Slows the network of a page down, to 2G by default. */
export async function slowDown(page: Page, network: keyof typeof networks = '2G'): Promise<void> {
  const { latency, rate } = networks[network]
  const debug = await page.context().newCDPSession(page)
  await debug.send('Network.enable')
  await debug.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: rate / 8,
    uploadThroughput: rate / 8,
  })
}

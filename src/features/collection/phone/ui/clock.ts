import { readSetting, writeSetting } from '#features/collection/phone/ui/base.ts'

/** What the phone knows of its own clock since it last heard the server's. */
type Clock = { offsetMs: number | null; lastSeen: number; hasGoneBack: boolean }

/** A clock that is put right by some seconds has not gone back. */
const slackMs = 60_000
let clock: Clock = { offsetMs: null, lastSeen: 0, hasGoneBack: false }

export async function loadClock(): Promise<void> {
  clock = (await readSetting<Clock>('clock')) ?? clock
  await look()
}

/** Notes the time that it is; clocks of phones go back by hand, by an empty battery, or by the network. */
async function look(): Promise<void> {
  const now = Date.now()
  if (now < clock.lastSeen - slackMs) clock = { ...clock, hasGoneBack: true }
  clock = { ...clock, lastSeen: now }
  await keep()
}

async function keep(): Promise<void> {
  // A phone without room says so where it refuses an entry.
  await writeSetting('clock', clock).catch(() => {})
}

/** The server said what time it is. */
export async function hearServerTime(serverTime: string): Promise<void> {
  const offsetMs = Date.parse(serverTime) - Date.now()
  if (Number.isNaN(offsetMs)) return
  clock = { offsetMs, lastSeen: Date.now(), hasGoneBack: false }
  await keep()
}

/** What an entry that is made now says of its moment. */
export async function momentNow(): Promise<{
  deviceAt: string
  clockOffsetMs: number | null
  hasGoneBack: boolean
}> {
  await look()
  const { offsetMs, hasGoneBack } = clock
  return { deviceAt: new Date().toISOString(), clockOffsetMs: offsetMs, hasGoneBack }
}

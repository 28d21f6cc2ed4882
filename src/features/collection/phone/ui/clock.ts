import { readSetting, writeSetting } from '#features/collection/phone/ui/database.ts'

/** What the phone knows about its own clock since the last response of the server. */
type Clock = { offsetMs: number | null; lastSeen: number; hasGoneBack: boolean }

/** A clock set back by less than this is a correction, not a clock gone back. */
const slackMs = 60_000
let clock: Clock = { offsetMs: null, lastSeen: 0, hasGoneBack: false }

export async function loadClock(): Promise<void> {
  clock = (await readSetting<Clock>('clock')) ?? clock
  await recordNow()
}

/** Records the device's time; clocks of phones go back by hand, after an empty battery, or by the network. */
async function recordNow(): Promise<void> {
  const now = Date.now()
  if (now < clock.lastSeen - slackMs) clock = { ...clock, hasGoneBack: true }
  clock = { ...clock, lastSeen: now }
  await storeClock()
}

async function storeClock(): Promise<void> {
  // A full phone reports it when it cannot store an entry.
  await writeSetting('clock', clock).catch(() => {})
}

/** Records the time given by the server. */
export async function recordServerTime(serverTime: string): Promise<void> {
  const offsetMs = Date.parse(serverTime) - Date.now()
  if (Number.isNaN(offsetMs)) return
  clock = { offsetMs, lastSeen: Date.now(), hasGoneBack: false }
  await storeClock()
}

/** Returns the clock readings of an entry made now. */
export async function readClock(): Promise<{
  deviceAt: string
  clockOffsetMs: number | null
  hasGoneBack: boolean
}> {
  await recordNow()
  const { offsetMs, hasGoneBack } = clock
  return { deviceAt: new Date().toISOString(), clockOffsetMs: offsetMs, hasGoneBack }
}

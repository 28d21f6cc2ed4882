import { hourMs } from '#shared/days.ts'

/** The channels besides mail. */
export const channelNames = ['telegram', 'sms', 'whatsapp'] as const
export type Channel = (typeof channelNames)[number]

export const channelLabels: Record<Channel, string> = {
  telegram: 'Telegram',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
}

/** Channels linked by a message that the owner sends us; a telephone number is confirmed by a code that we send. */
export const linkedChannels = ['telegram', 'whatsapp'] as const

/** How long (min) a link or a code is valid. */
export const proofMinutes = 15
export const mostTries = 5

/** Hours in Kinshasa during which no alert is sent to a phone. */
const quiet = { from: 21, to: 6 }

/** Returns the end of the quiet hours that contain an instant; null outside of them. */
export function quietUntil(at: Date): Date | null {
  const local = new Date(at.getTime() + hourMs)
  const hour = local.getUTCHours()
  if (hour >= quiet.to && hour < quiet.from) return null
  const day = local.getUTCDate() + (hour >= quiet.from ? 1 : 0)
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), day, quiet.to) - hourMs)
}

/** The channels beside mail. */
export const channelNames = ['telegram', 'sms', 'whatsapp'] as const
export type Channel = (typeof channelNames)[number]

export const channelLabels: Record<Channel, string> = {
  telegram: 'Telegram',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
}

/** Linked by a message that its owner sends us; a telephone number by a code that we send. */
export const linkedChannels = ['telegram', 'whatsapp'] as const

/** How long (min) a link or a code proves an address. */
export const proofMinutes = 15
export const mostTries = 5

const hourMs = 3_600_000
/** Hours of Kinshasa in which no alert makes a telephone ring. */
const quiet = { from: 21, to: 6 }

/** When the quiet hours that an instant is in end; null when it is in none. */
export function quietUntil(at: Date): Date | null {
  const local = new Date(at.getTime() + hourMs)
  const hour = local.getUTCHours()
  if (hour >= quiet.to && hour < quiet.from) return null
  const day = local.getUTCDate() + (hour >= quiet.from ? 1 : 0)
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), day, quiet.to) - hourMs)
}

import { z } from 'zod'
import { purpose } from '#shared/ntalo.ts'

const point = z.tuple([z.number().min(0).max(1), z.number().min(0).max(1)])

/** A line that a mail shows as a picture; `alt` says the same to who does not see it. */
const mailChart = z.object({
  alt: z.string().max(500),
  /** Stretches of [x, y] from 0 to 1, y upwards. */
  course: z.array(z.array(point)).max(60),
  /** A level to compare with, from 0 to 1. */
  level: z.number().min(0).max(1).nullable(),
  /** What stands above the line, and below at its two ends. */
  labels: z.object({ range: z.string().max(100), from: z.string().max(40), to: z.string().max(40) }),
})
export type MailChart = z.infer<typeof mailChart>

/** What a mail says, in an order that reads well: our own view makes HTML of it, `mailText` makes text. */
export const mailContent = z.object({
  /** One line; also the title inside. */
  subject: z.string().regex(/^[^\p{Cc}\u2028\u2029]{1,200}$/u),
  /** Line breaks inside a paragraph are kept. */
  paragraphs: z.array(z.string()),
  /** Shown below the paragraphs. */
  charts: z.array(mailChart).max(3).optional(),
  /** What the reader is asked to do. */
  action: z.object({ label: z.string(), url: z.url({ protocol: /^https?$/ }) }).optional(),
  /** What comes after the action, in smaller letters. */
  notes: z.array(z.string()).optional(),
  /** Where one click, without a session, ends mails of this kind (RFC 8058). */
  unsubscribeUrl: z.url({ protocol: /^https?$/ }).optional(),
})
export type MailContent = z.infer<typeof mailContent>

/** What the HTML of a mail calls the picture of one of its charts. */
export const chartId = (at: number) => `courbe-${at + 1}@ntalo`

/** The same as plain text, for readers without HTML. */
export function mailText({ paragraphs, action, notes = [], unsubscribeUrl }: MailContent): string {
  const parts = [...paragraphs, ...(action ? [`${action.label}\u00a0:\n${action.url}`] : []), ...notes]
  if (unsubscribeUrl) parts.push(`Ne plus recevoir ces e-mails\u00a0: ${unsubscribeUrl}`)
  return `${parts.join('\n\n')}\n\n-- \n${signature}\n`
}

export const signature = `Ntalo\u00a0: ${purpose}`

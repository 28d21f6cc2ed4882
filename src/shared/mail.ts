import { z } from 'zod'
import { purpose } from '#shared/ntalo.ts'

const point = z.tuple([z.number().min(0).max(1), z.number().min(0).max(1)])

/** A line chart that a mail shows as a picture; `alt` is its text alternative. */
const mailChart = z.object({
  alt: z.string().max(500),
  /** Segments of [x, y] points from 0 to 1, y upwards. */
  course: z.array(z.array(point)).max(60),
  /** Reference level, from 0 to 1. */
  level: z.number().min(0).max(1).nullable(),
  /** Labels: `range` above the line, `from` and `to` below its two ends. */
  labels: z.object({ range: z.string().max(100), from: z.string().max(40), to: z.string().max(40) }),
})
export type MailChart = z.infer<typeof mailChart>

const longestSubject = 200

/**
 * Shortens a subject and replaces U+0080 to U+009F by spaces. A line break is kept, so that the schema refuses it: no
 * valid name has one.
 */
export function mailSubject(text: string): string {
  const letters = [...text.replaceAll(/[\u0080-\u009f]/g, ' ')]
  return letters.length <= longestSubject
    ? letters.join('')
    : `${letters.slice(0, longestSubject - 1).join('')}…`
}

/** The content of a mail in reading order; a view renders it as HTML, `mailText` as plain text. */
export const mailContent = z.object({
  /** One line; also the title inside the mail. */
  subject: z.string().regex(/^[^\p{Cc}\u2028\u2029]{1,200}$/u),
  /** Paragraphs, whose line breaks are preserved. */
  paragraphs: z.array(z.string()),
  /** Charts shown below the paragraphs. */
  charts: z.array(mailChart).max(3).optional(),
  /** The main link, which the reader is asked to follow. */
  action: z.object({ label: z.string(), url: z.url({ protocol: /^https?$/ }) }).optional(),
  /** Small print after the action. */
  notes: z.array(z.string()).optional(),
  /** One-click unsubscribe address that needs no session (RFC 8058). */
  unsubscribeUrl: z.url({ protocol: /^https?$/ }).optional(),
})
export type MailContent = z.infer<typeof mailContent>

/** Returns the Content-ID of a chart's picture in a mail. */
export const chartId = (at: number) => `courbe-${at + 1}@ntalo`

/** Renders a mail as plain text, for readers without HTML. */
export function mailText({ paragraphs, action, notes = [], unsubscribeUrl }: MailContent): string {
  const parts = [...paragraphs, ...(action ? [`${action.label}\u00a0:\n${action.url}`] : []), ...notes]
  if (unsubscribeUrl) parts.push(`Ne plus recevoir ces e-mails\u00a0: ${unsubscribeUrl}`)
  return `${parts.join('\n\n')}\n\n-- \n${signature}\n`
}

export const signature = `Ntalo\u00a0: ${purpose}`

import { z } from 'zod'
import { purpose } from '#shared/ntalo.ts'

/** What a mail says, in an order that reads well: our own view makes HTML of it, `mailText` makes text. */
export const mailContent = z.object({
  /** One line; also the title inside. */
  subject: z.string().regex(/^[^\p{Cc}\u2028\u2029]{1,200}$/u),
  /** Line breaks inside a paragraph are kept. */
  paragraphs: z.array(z.string()),
  /** What the reader is asked to do. */
  action: z.object({ label: z.string(), url: z.url({ protocol: /^https?$/ }) }).optional(),
  /** What comes after the action, in smaller letters. */
  notes: z.array(z.string()).optional(),
  /** Where one click, without a session, ends mails of this kind (RFC 8058). */
  unsubscribeUrl: z.url({ protocol: /^https?$/ }).optional(),
})
export type MailContent = z.infer<typeof mailContent>

/** The same as plain text, for readers without HTML. */
export function mailText({ paragraphs, action, notes = [], unsubscribeUrl }: MailContent): string {
  const parts = [...paragraphs, ...(action ? [`${action.label}\u00a0:\n${action.url}`] : []), ...notes]
  if (unsubscribeUrl) parts.push(`Ne plus recevoir ces e-mails\u00a0: ${unsubscribeUrl}`)
  return `${parts.join('\n\n')}\n\n-- \n${signature}\n`
}

export const signature = `Ntalo\u00a0: ${purpose}`

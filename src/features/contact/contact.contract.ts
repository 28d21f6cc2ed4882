import { z } from 'zod'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { emailAddress, flagFilter, instant, optionalText, prose, searchText, text } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

const sender = { name: text(200), email: emailAddress, subject: optionalText(200) }
const longestMessage = 5000

/** What a visitor writes to the team. */
export const contact = defineEndpoint({
  method: 'POST',
  path: '/api/contact',
  right: 'public',
  status: 201,
  summary: 'Écrire à l’équipe',
  description: 'Ouvert à tous. L’équipe répond par e-mail.',
  body: z
    .object({
      ...sender,
      message: prose(longestMessage),
      /** Hidden from people: whatever fills it in is no person. */
      website: z.string().max(1000).nullish(),
    })
    .meta({ id: 'ContactMessageBody' }),
  response: acknowledgement,
})

export const contactMessage = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    subject: z.string().nullable(),
    /** What was written: `message` is what an answer says of itself. */
    text: z.string(),
    /** Somebody has answered, or nothing is to be answered. */
    isHandled: z.boolean(),
    /** A spoken message noted by a member of the team; the journal says by whom. */
    isNoted: z.boolean(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'ContactMessage' })

const isHandled = z.boolean('Oui ou non est attendu (true, false)').optional()

export const messages = defineResource({
  name: 'messages',
  listed: 'data',
  noun: { one: 'Message', many: 'messages', gender: 'm' },
  permission: { read: 'users.manage', write: 'users.manage' },
  row: contactMessage,
  input: z
    .object({
      ...sender,
      text: prose(longestMessage),
      isHandled,
    })
    .meta({ id: 'MessageBody' }),
  // What a visitor wrote stays as he wrote it.
  change: z.object({ isHandled }).meta({ id: 'MessageChange' }),
  filters: {
    search: searchText,
    isHandled: flagFilter,
  },
  sortable: ['created_at', 'name', 'email'],
  columns: [
    { key: 'name', title: 'Nom complet', value: ({ name }) => name },
    { key: 'email', title: 'Email', value: ({ email }) => email },
    { key: 'subject', title: 'Sujet', value: ({ subject }) => subject },
    { key: 'text', title: 'Message', value: ({ text }) => text },
    { key: 'isHandled', title: 'Traité', value: ({ isHandled }) => (isHandled ? 'oui' : 'non') },
    {
      key: 'isNoted',
      title: 'Reçu',
      value: ({ isNoted }) => (isNoted ? 'noté par l’équipe' : 'par le formulaire'),
    },
    { key: 'created_at', title: 'Reçu le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
})

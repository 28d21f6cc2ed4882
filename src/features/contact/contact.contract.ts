import { z } from 'zod'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { emailAddress, flagFilter, instant, optionalText, prose, searchText, text } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

const sender = { name: text(200), email: emailAddress, subject: optionalText(200) }
const longestMessage = 5000

/** Sends a visitor's message to the team. */
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
      /** Hidden from people: only bots fill it in. */
      website: z.string().max(1000).nullish(),
    })
    .meta({ id: 'ContactMessageBody' }),
  response: acknowledgement,
})

const contactMessage = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    subject: z.string().nullable(),
    /** The message text: in responses, `message` is the text of the response itself. */
    text: z.string(),
    /** Whether it was answered, or needs no answer. */
    isHandled: z.boolean(),
    /** Whether a member of the team wrote it down from a conversation; the journal has the author. */
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
  // The text of a visitor cannot be changed.
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

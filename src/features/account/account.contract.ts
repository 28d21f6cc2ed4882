import { z } from 'zod'
import { account as shownAccount } from '#features/auth/auth.contract.ts'
import { acknowledgement, bytes, defineEndpoint } from '#shared/contract.ts'
import {
  currentPassword,
  emailAddress,
  idParams,
  instant,
  optionalText,
  secondFactorCode,
  text,
} from '#shared/fields.ts'

const emptyIsUnchanged = (value: unknown) => (value === '' ? undefined : value)
const picture = z.file('Un fichier image est attendu')

/** The caller's own account: profile, sessions, data, and closing it. */
export const ownAccount = {
  update: defineEndpoint({
    method: 'PUT',
    path: '/api/auth/me',
    right: 'session',
    summary: 'Modifier son propre compte',
    description:
      'Changer d’adresse demande le mot de passe actuel (`currentPassword`)\u202f; la nouvelle adresse est à confirmer. `avatar`\u00a0: une image, null pour l’enlever.',
    body: z
      .object({
        name: text(200),
        email: emailAddress,
        location: optionalText(200),
        avatar: z.preprocess(emptyIsUnchanged, picture.nullish()).optional(),
        currentPassword,
        code: secondFactorCode,
      })
      .partial()
      .meta({ id: 'AccountChange' }),
    file: 'avatar',
    response: z.object({ user: shownAccount, message: z.string() }),
  }),
  sessions: defineEndpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    right: 'session',
    summary: 'Où l’on est connecté',
    description:
      'Les sessions ouvertes du compte, avec le navigateur et l’adresse de chacune, et ses téléphones de relevé.',
    response: z.object({
      data: z.array(
        z
          .object({
            id: z.int(),
            createdAt: instant,
            /** Time of the last renewal. */
            seenAt: instant,
            address: z.string().nullable(),
            userAgent: z.string().nullable(),
            device: z
              .string()
              .nullable()
              .meta({
                description:
                  'Le nom du téléphone de relevé dont la clé ouvre la session\u202f; null pour un navigateur.',
                examples: ['Chrome sur Android'],
              }),
            isCurrent: z.boolean(),
          })
          .meta({ id: 'OwnSession' }),
      ),
    }),
  }),
  endSession: defineEndpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    right: 'session',
    summary: 'Mettre fin à l’une de ses sessions',
    description: 'Le navigateur en question doit se connecter de nouveau.',
    params: idParams,
    response: acknowledgement,
  }),
  exportAll: defineEndpoint({
    method: 'GET',
    path: '/api/auth/me/export',
    right: 'session',
    summary: 'Tout ce qui est gardé de soi, en JSON',
    description: 'Un fichier JSON de tout ce qui nomme le compte.',
    media: ['application/json'],
    response: bytes,
  }),
  close: defineEndpoint({
    method: 'POST',
    path: '/api/auth/me/close',
    right: 'session',
    summary: 'Fermer son compte, pour toujours',
    description: 'Le nom et l’adresse sont effacés. Les relevés restent, sans nom.',
    body: z.object({ currentPassword, code: secondFactorCode }).meta({ id: 'AccountClosing' }),
    response: acknowledgement,
  }),
}

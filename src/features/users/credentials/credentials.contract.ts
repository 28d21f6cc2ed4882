import { z } from 'zod'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { currentPassword, idParams, newPassword, secondFactorCode } from '#shared/fields.ts'

export const changePassword = defineEndpoint({
  method: 'PUT',
  path: '/api/users/{id}/change-password',
  right: 'session',
  summary: 'Changer un mot de passe',
  description:
    'Le sien, avec l’actuel (`currentPassword`)\u202f; celui d’un autre, sans, pour qui gère les utilisateurs.',
  params: idParams,
  body: z
    .object({
      currentPassword,
      code: secondFactorCode,
      newPassword,
    })
    .meta({ id: 'PasswordChange' }),
  response: acknowledgement,
})

/** For a user who has lost their phone and recovery codes. */
export const removeSecondFactorOf = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/{id}/second-factor',
  right: 'users.manage',
  summary: 'Désactiver la vérification en deux étapes de quelqu’un',
  description:
    'Pour qui a perdu son téléphone et ses codes de secours. La personne en est avertie par e-mail.',
  params: idParams,
  response: acknowledgement,
})

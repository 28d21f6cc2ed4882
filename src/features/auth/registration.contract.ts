import { z } from 'zod'
import { authAddresses } from '#features/auth/auth.addresses.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { emailAddress, newPassword, text } from '#shared/fields.ts'

export const register = defineEndpoint({
  ...authAddresses.register,
  right: 'public',
  status: 201,
  summary: 'Créer un compte',
  description:
    'La réponse est la même quand l’adresse a déjà un compte\u00a0: son propriétaire en est averti par e-mail.',
  body: z
    .object({ name: text(200), email: emailAddress, password: newPassword })
    .meta({ id: 'Registration' }),
  response: acknowledgement,
})

/** Token of a link in a mail. */
export const linkToken = z.string('Ce lien est incomplet.').regex(/^[\w-]{43}$/, 'Ce lien est incomplet.')

export const verifyEmail = defineEndpoint({
  ...authAddresses.verifyEmail,
  right: 'public',
  summary: 'Confirmer une adresse e-mail par le lien reçu',
  description: 'Le lien sert une fois. Il n’ouvre pas de session\u00a0: connectez-vous ensuite.',
  body: z.object({ token: linkToken }).meta({ id: 'EmailVerification' }),
  response: acknowledgement,
})

export const resendVerification = defineEndpoint({
  ...authAddresses.resendVerification,
  right: 'public',
  summary: 'Recevoir un nouveau lien de confirmation',
  description: 'La réponse est la même qu’un compte attende ou non sa confirmation.',
  body: z.object({ email: emailAddress }).meta({ id: 'VerificationRequest' }),
  response: acknowledgement,
})

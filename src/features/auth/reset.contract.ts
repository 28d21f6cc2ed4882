import { z } from 'zod'
import { authAddresses } from '#features/auth/auth.addresses.ts'
import { linkToken } from '#features/auth/registration.contract.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { emailAddress, newPassword } from '#shared/fields.ts'

export const forgotPassword = defineEndpoint({
  ...authAddresses.forgotPassword,
  right: 'public',
  summary: 'Recevoir un lien pour choisir un nouveau mot de passe',
  description: 'La réponse est la même, dans le même temps, que l’adresse ait un compte ou non.',
  body: z.object({ email: emailAddress }).meta({ id: 'ResetRequest' }),
  response: acknowledgement,
})

export const resetPassword = defineEndpoint({
  ...authAddresses.resetPassword,
  right: 'public',
  summary: 'Choisir un nouveau mot de passe par le lien reçu',
  description: 'Le lien sert une fois. Toutes les sessions du compte se terminent.',
  body: z.object({ token: linkToken, password: newPassword }).meta({ id: 'PasswordReset' }),
  response: acknowledgement,
})

import { z } from 'zod'
import { authAddresses } from '#features/auth/auth.addresses.ts'
import { opened } from '#features/auth/auth.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { optionalQuery, secondFactorCode } from '#shared/fields.ts'

const fromAddress = z.string().max(4000, '4000 caractères au plus')

export const googleInitiate = defineEndpoint({
  ...authAddresses.googleInitiate,
  right: 'public',
  summary: 'Commencer une connexion avec Google',
  description:
    'Le navigateur va ensuite à `redirect_url`. `redirectUrl`\u00a0: la page voulue, un chemin d’ici.',
  query: z.object({ redirectUrl: optionalQuery(fromAddress) }),
  response: z.object({ redirect_url: z.string() }),
})

const googleSession = opened
  .extend({ success: z.literal(true), /** A path of this site. */ redirectUrl: z.string() })
  .meta({ id: 'GoogleSession' })

export const googleCallback = defineEndpoint({
  ...authAddresses.googleCallback,
  right: 'public',
  summary: 'Se connecter avec ce que Google a répondu',
  description:
    '`code` et `state` tels que Google les donne, dans le navigateur qui a commencé. Un compte en deux étapes reçoit 400 sous `code`, et continue par `second-step`.',
  query: z.object({
    code: optionalQuery(fromAddress),
    state: optionalQuery(fromAddress),
    iss: optionalQuery(fromAddress),
  }),
  response: googleSession,
})

export const googleSecondStep = defineEndpoint({
  method: 'POST',
  path: '/api/auth/google/second-step',
  right: 'public',
  summary: 'Terminer une connexion avec Google par le code de vérification',
  description: 'Avec le cookie posé par la réponse de Google, valable quelques minutes.',
  body: z.object({ code: secondFactorCode }).meta({ id: 'GoogleSecondStep' }),
  response: googleSession,
})

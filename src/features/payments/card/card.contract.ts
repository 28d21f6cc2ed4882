import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { idParams } from '#shared/fields.ts'

export const leaveCardPage = defineEndpoint({
  method: 'POST',
  path: '/api/payments/{id}/leave',
  right: 'session',
  summary: 'Abandonner un paiement par carte',
  description:
    'L’opérateur est interrogé\u00a0: s’il n’a rien reçu, le paiement se termine et un autre peut commencer. Ce qui est payé malgré tout compte. Qui gère les paiements le fait aussi pour un abonné.',
  params: idParams,
  response: acknowledgement,
})

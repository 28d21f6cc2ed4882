import { z } from 'zod'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { currentPassword, secondFactorCode } from '#shared/fields.ts'

/** The optional second factor of a sign-in. */
export const secondFactor = {
  read: defineEndpoint({
    method: 'GET',
    path: '/api/auth/second-factor',
    right: 'session',
    summary: 'Sa vérification en deux étapes',
    response: z.object({ isOn: z.boolean(), recoveryCodes: z.int() }),
  }),
  begin: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor',
    right: 'session',
    summary: 'Commencer la vérification en deux étapes',
    body: z.object({ currentPassword }).meta({ id: 'SecondFactorBeginning' }),
    response: z.object({ secret: z.string(), uri: z.string(), message: z.string() }),
  }),
  confirm: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/confirm',
    right: 'session',
    summary: 'Activer la vérification en deux étapes par un premier code',
    body: z.object({ code: secondFactorCode }).meta({ id: 'SecondFactorConfirmation' }),
    response: z.object({ recoveryCodes: z.array(z.string()), message: z.string() }),
  }),
  remove: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/remove',
    right: 'session',
    summary: 'Désactiver la vérification en deux étapes',
    body: z.object({ currentPassword, code: secondFactorCode }).meta({ id: 'SecondFactorRemoval' }),
    response: acknowledgement,
  }),
  renewCodes: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/recovery-codes',
    right: 'session',
    summary: 'Recevoir de nouveaux codes de secours, qui remplacent les anciens',
    body: z.object({ currentPassword, code: secondFactorCode }).meta({ id: 'RecoveryCodesRenewal' }),
    response: z.object({ recoveryCodes: z.array(z.string()), message: z.string() }),
  }),
}

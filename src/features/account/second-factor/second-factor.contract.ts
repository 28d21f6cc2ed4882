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
    description: 'Si elle est active, et combien de codes de secours restent.',
    response: z.object({ isOn: z.boolean(), recoveryCodes: z.int() }),
  }),
  begin: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor',
    right: 'session',
    summary: 'Commencer la vérification en deux étapes',
    description: 'Donne le secret pour l’application. Rien ne change avant le premier code.',
    body: z.object({ currentPassword }).meta({ id: 'SecondFactorBeginning' }),
    response: z.object({ secret: z.string(), uri: z.string(), message: z.string() }),
  }),
  confirm: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/confirm',
    right: 'session',
    summary: 'Activer la vérification en deux étapes par un premier code',
    description: 'Les codes de secours ne sont donnés que cette fois.',
    body: z.object({ code: secondFactorCode }).meta({ id: 'SecondFactorConfirmation' }),
    response: z.object({ recoveryCodes: z.array(z.string()), message: z.string() }),
  }),
  remove: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/remove',
    right: 'session',
    summary: 'Désactiver la vérification en deux étapes',
    description: 'Demande le mot de passe et un code.',
    body: z.object({ currentPassword, code: secondFactorCode }).meta({ id: 'SecondFactorRemoval' }),
    response: acknowledgement,
  }),
  renewCodes: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/recovery-codes',
    right: 'session',
    summary: 'Recevoir de nouveaux codes de secours, qui remplacent les anciens',
    description: 'Les nouveaux codes ne sont donnés que cette fois.',
    body: z.object({ currentPassword, code: secondFactorCode }).meta({ id: 'RecoveryCodesRenewal' }),
    response: z.object({ recoveryCodes: z.array(z.string()), message: z.string() }),
  }),
}

import { z } from 'zod'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { idParams, instant, reference, text } from '#shared/fields.ts'

const base64 = (most: number) =>
  z
    .string('Un texte en base64 est attendu')
    .max(most, 'Trop long')
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Un texte en base64 est attendu')

const device = z
  .object({
    id: z.int(),
    name: z.string(),
    user: z.object({ id: z.int(), name: z.string() }),
    createdAt: instant,
    lastUsedAt: instant,
  })
  .meta({ id: 'Device' })
export type Device = z.infer<typeof device>

/** Phones, each with a key that opens the sessions of its agent. */
export const devices = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/collection/devices',
    right: 'collection.read',
    summary: 'Les appareils des agents',
    description:
      'Les 200 derniers qui ont servi, avec leur agent. Un appareil inutilisé 30 jours n’y est plus.',
    response: z.object({ data: z.array(device) }),
  }),
  create: defineEndpoint({
    ...collectionAddresses.addDevice,
    right: 'session',
    summary: 'Ajouter cet appareil',
    description:
      'Enregistre la clé publique d’un téléphone, qui ouvre ensuite sa session sans mot de passe ni cookie. Cette session ne fait que relever et lire des prix.',
    body: z.object({ publicKey: base64(300), name: text(100) }).meta({ id: 'DeviceBody' }),
    status: 201,
    response: device.extend({ message: z.string() }),
  }),
  revoke: defineEndpoint({
    method: 'DELETE',
    path: '/api/collection/devices/{id}',
    right: 'collection.write',
    summary: 'Révoquer un appareil',
    description: 'Sa session s’arrête aussitôt. Ce qu’il n’a pas encore envoyé y reste.',
    params: idParams,
    response: acknowledgement,
  }),
}

/** A device signs a counter instead of a time, since clocks of phones are wrong: each value opens one session. */
export const openDeviceSession = defineEndpoint({
  ...collectionAddresses.openSession,
  right: 'public',
  summary: 'Ouvrir la session d’un appareil',
  description:
    'L’appareil signe «\u202fntalo:numéro:compteur\u202f» par ECDSA P-256 et SHA-256. Un compteur ne sert qu’une fois.',
  body: z
    .object({
      deviceId: reference('Appareil attendu'),
      counter: z.int('Un entier est attendu').min(1, 'Un entier à partir de 1 est attendu'),
      signature: base64(200),
    })
    .meta({ id: 'DeviceProof' }),
  response: z.object({ token: z.string(), user: z.object({ id: z.int(), name: z.string() }) }),
})

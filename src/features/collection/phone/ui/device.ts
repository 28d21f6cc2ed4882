import { authAddresses } from '#features/auth/auth.addresses.ts'
import type { login, logout, refresh } from '#features/auth/auth.contract.ts'
import { maySignIn } from '#features/auth/auth.rules.ts'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import type { devices, openDeviceSession } from '#features/collection/devices/devices.contract.ts'
import { changeSetting, readSetting } from '#features/collection/phone/ui/base.ts'
import { deviceOf } from '#shared/device.ts'
import { ApiError, exchange } from '#web/api.ts'

/** An agent of this phone, with the key that opens his session. The counter is the last one that was signed. */
export type PhoneAgent = {
  userId: number
  name: string
  deviceId: number
  privateKey: CryptoKey
  counter: number
}

const tokenAgeMs = 14 * 60_000
const curve = { name: 'ECDSA', namedCurve: 'P-256' }
const tokens = new Map<number, { token: string; until: number }>()
const opening = new Map<number, Promise<string>>()

export async function loadAgents(): Promise<PhoneAgent[]> {
  return (await readSetting<PhoneAgent[]>('agents')) ?? []
}

/**
 * Signs an agent in on this phone, by his password or by the session that the browser has already, and makes his key.
 *
 * @throws ApiError
 */
export async function signInHere(credentials: {
  email: string
  password: string
  code?: string | undefined
}): Promise<PhoneAgent> {
  const opened = await exchange<typeof login>(authAddresses.login, { body: credentials, cookies: false })
  const agent = await addDevice(opened)
  // The password has done its work: the key opens every session from now on.
  await exchange<typeof logout>(authAddresses.logout, { cookies: false }, opened.token).catch(() => {})
  return agent
}

/** The same for somebody who is signed in to the site; null for anybody else. */
export async function adoptSession(): Promise<PhoneAgent | null> {
  if (!maySignIn(document.cookie)) return null
  try {
    return await addDevice(await exchange<typeof refresh>(authAddresses.refresh, {}))
  } catch {
    return null
  }
}

async function addDevice({ token, user }: { token: string; user: { id: number; name: string } }) {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, false, ['sign'])
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  const body = { publicKey: base64(spki), name: deviceOf(navigator.userAgent) }
  const { id } = await exchange<typeof devices.create>(
    collectionAddresses.addDevice,
    { body, cookies: false },
    token,
  )
  const agent = { userId: user.id, name: user.name, deviceId: id, privateKey, counter: 0 }
  tokens.delete(user.id)
  await changeSetting<PhoneAgent[]>('agents', (all = []) => [
    ...all.filter(({ userId }) => userId !== user.id),
    agent,
  ])
  return agent
}

/** Forgets an agent's key; his entries wait on the phone until he signs in again. */
export async function forgetAgent(userId: number): Promise<void> {
  tokens.delete(userId)
  await changeSetting<PhoneAgent[]>('agents', (all = []) => all.filter((agent) => agent.userId !== userId))
}

/**
 * A token of an agent's session, opened anew by the key when the last one is old.
 *
 * @throws ApiError 401 when the key opens nothing any more
 */
export async function tokenOf(userId: number): Promise<string> {
  const former = tokens.get(userId)
  if (former && former.until > performance.now()) return former.token
  // One at a time: of two counters that are on their way, the greater may come first and end the other.
  const opened = opening.get(userId) ?? openSession(userId).finally(() => opening.delete(userId))
  opening.set(userId, opened)
  return opened
}

async function openSession(userId: number): Promise<string> {
  // Written before it is used: a counter that was sent is never signed again.
  const all = await changeSetting<PhoneAgent[]>('agents', (agents = []) =>
    agents.map((agent) => (agent.userId === userId ? { ...agent, counter: agent.counter + 1 } : agent)),
  )
  const agent = all.find((each) => each.userId === userId)
  if (!agent) throw new ApiError(401, 'Connectez-vous pour envoyer vos relevés.')
  const { deviceId, counter, privateKey } = agent
  const text = new TextEncoder().encode(`ntalo:${deviceId}:${counter}`)
  const signed = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, text)
  const { token } = await exchange<typeof openDeviceSession>(collectionAddresses.openSession, {
    body: { deviceId, counter, signature: base64(new Uint8Array(signed)) },
    cookies: false,
  })
  if (typeof token !== 'string') throw new ApiError(500, 'Erreur réseau')
  tokens.set(userId, { token, until: performance.now() + tokenAgeMs })
  return token
}

export function forgetToken(userId: number): void {
  tokens.delete(userId)
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

import { authAddresses } from '#features/auth/auth.addresses.ts'
import type { login, logout, refresh } from '#features/auth/auth.contract.ts'
import { mayHaveSession } from '#features/auth/auth.rules.ts'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import type { devices, openDeviceSession } from '#features/collection/devices/devices.contract.ts'
import { changeSetting, readSetting } from '#features/collection/phone/ui/database.ts'
import type { AnswerOf, Endpoint } from '#shared/contract.ts'
import { deviceOf } from '#shared/device.ts'
import { type Address, ApiError, exchange, type Input } from '#web/api.ts'

/** An agent of this phone, with the key that opens their sessions. `counter` is the last value signed. */
export type PhoneAgent = {
  userId: number
  name: string
  deviceId: number
  privateKey: CryptoKey
  counter: number
}

const tokenAgeMs = 14 * 60_000
const curve = { name: 'ECDSA', namedCurve: 'P-256' }
const tokens = new Map<number, { token: string; openedAt: number; until: number }>()
const opening = new Map<number, Promise<string>>()

export async function loadAgents(): Promise<PhoneAgent[]> {
  return (await readSetting<PhoneAgent[]>('agents')) ?? []
}

/**
 * Signs an agent in on this phone by password, and creates the agent's key.
 * @throws ApiError
 */
export async function signInHere(credentials: {
  email: string
  password: string
  code?: string | undefined
}): Promise<PhoneAgent> {
  const opened = await exchange<typeof login>(authAddresses.login, { body: credentials, cookies: false })
  const agent = await addDevice(opened)
  // The password's session is no longer needed: from now on, the key opens every session.
  await exchange<typeof logout>(authAddresses.logout, { cookies: false }, opened.token).catch(() => {})
  return agent
}

/** Same as `signInHere`, for a user signed in to the site; null for others. */
export async function adoptSession(): Promise<PhoneAgent | null> {
  if (!mayHaveSession(document.cookie)) return null
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

/** Deletes an agent's key; unsent entries stay on the phone until the agent signs in again. */
export async function forgetAgent(userId: number): Promise<void> {
  tokens.delete(userId)
  await changeSetting<PhoneAgent[]>('agents', (all = []) => all.filter((agent) => agent.userId !== userId))
}

/**
 * Returns a token of an agent's session, opening a new session with the key when the last token is old.
 * @throws ApiError 401 when the key is no longer valid
 */
export async function tokenOf(userId: number): Promise<string> {
  const former = tokens.get(userId)
  // Both clocks: the monotonic one stands still while the phone sleeps, the other can be set.
  const isYoung =
    former && former.until > performance.now() && Math.abs(Date.now() - former.openedAt) < tokenAgeMs
  if (isYoung) return former.token
  // One request at a time: if the greater of two counters arrives first, the other is refused.
  const opened = opening.get(userId) ?? openSession(userId).finally(() => opening.delete(userId))
  opening.set(userId, opened)
  return opened
}

async function openSession(userId: number): Promise<string> {
  // Stored before it is used, so that a counter already sent is never signed again.
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
  }).catch((error) => {
    // Whatever the server refuses here is the session, never what is sent in it.
    const isRefused = error instanceof ApiError && error.status < 500
    throw isRefused ? new ApiError(401, error.message) : error
  })
  if (typeof token !== 'string') throw new ApiError(500, 'Erreur réseau')
  tokens.set(userId, { token, openedAt: Date.now(), until: performance.now() + tokenAgeMs })
  return token
}

/**
 * Calls an endpoint in an agent's session. A token that the server no longer takes is renewed once.
 * @throws ApiError
 */
export async function exchangeAs<E extends Endpoint>(
  userId: number,
  endpoint: E | Address<E>,
  input: Input<E>,
): Promise<AnswerOf<E>> {
  const token = await tokenOf(userId)
  try {
    return await exchange(endpoint, { ...input, cookies: false }, token)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    if (tokens.get(userId)?.token === token) tokens.delete(userId)
    return exchange(endpoint, { ...input, cookies: false }, await tokenOf(userId))
  }
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

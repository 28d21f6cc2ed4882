import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '#shared/contract.ts'
import { positionHeader } from '#shared/position.ts'
import { heardFromServer } from '#web/network.ts'

/** Where an endpoint is, without its schemas: a page that only needs this loads no zod. */
export type Address<E extends Endpoint> = Pick<E, 'method' | 'path'>

// A generic endpoint has unknown parts: it may need the part or not.
type Part<Name extends string, T> = unknown extends T
  ? { [K in Name]?: unknown }
  : [T] extends [undefined]
    ? { [K in Name]?: undefined }
    : { [K in Name]: T }
type Body<E extends Endpoint> = E extends { multipart: true }
  ? FormData
  : E extends { file: string }
    ? FormData | BodyOf<E>
    : BodyOf<E>

/** What a call sends; parts that the endpoint does not have are left out. */
export type Input<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'body', Body<E>> & {
    query?: Partial<QueryOf<E>>
    /** Beside those of every call: an Idempotency-Key. */
    headers?: Record<string, string>
    signal?: AbortSignal
    /** False where no cookie is sent, nor taken. */
    cookies?: false
    /** Called with the part of the body that has left, from 0 to 1. */
    onSent?: (share: number) => void
  }

/** The access token in force, and how to get another one: rejects when the session is over. */
type Keeper = { token: () => Promise<string | null>; renew: (used: string) => Promise<void> }

export type Fault = { field?: string; message: string }

/** An answer of 400 or above, or no answer at all, which counts as status 500. */
export class ApiError extends Error {
  readonly status: number
  readonly faults: readonly Fault[]

  constructor(status: number, message: string, faults: readonly Fault[] = []) {
    super(message)
    this.status = status
    this.faults = faults
  }

  /** Whether the server never answered. */
  get isUnanswered(): boolean {
    return this.message === unanswered
  }

  /** `409 • Une marque porte déjà ce nom.` */
  get statement(): string {
    return `${this.status} • ${this.message}`
  }
}

const timeoutMs = 120_000
const unknownFailure = 'Une erreur est survenue'
const unanswered = 'Erreur réseau'
let keeper: Keeper | null = null
let position: string | null = null

/** Gives calls the session that they are made in. */
export function callWithin(session: Keeper): void {
  keeper = session
}

/** From now on answers must hold what was written before a position of the database's log, which an event has told. */
export function readFromHere(written: string): void {
  position = written
}

/**
 * Calls an endpoint as the signed-in user. A 401 renews the session, once for all the calls in flight, and the
 * call is made again.
 *
 * @throws ApiError
 */
export async function call<E extends Endpoint>(
  endpoint: E | Address<E>,
  input: Input<E>,
): Promise<AnswerOf<E>> {
  return inSession((token) => exchange(endpoint, input, token))
}

/**
 * Asks, as the signed-in user, for an answer that is read as it arrives: a file, a stream.
 *
 * @param signal ends the answer as well
 * @throws ApiError when it is refused, or does not begin
 */
export async function open<E extends Endpoint>(
  endpoint: E | Address<E>,
  input: {
    params?: ParamsOf<E>
    query?: Partial<QueryOf<E>>
    headers?: Record<string, string>
    signal: AbortSignal
  },
): Promise<Response> {
  return inSession(async (token) => {
    const headers = { ...input.headers, ...usualHeaders(token) }
    const { method, path } = endpoint
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), timeoutMs)
    const signal = AbortSignal.any([input.signal, silence.signal])
    try {
      const response = await fetch(urlOf(path, input.params, input.query), {
        method,
        headers,
        redirect: 'manual',
        signal,
      })
      if (response.ok) return response
      throw refusal(response.status, contentOf(response, await response.text()))
    } catch (error) {
      if (error instanceof ApiError || input.signal.aborted) throw error
      throw new ApiError(500, unanswered)
    } finally {
      clearTimeout(timer)
    }
  })
}

async function inSession<T>(work: (token: string | null) => Promise<T>): Promise<T> {
  const token = (await keeper?.token()) ?? null
  try {
    return await work(token)
  } catch (error) {
    if (!keeper || !token || !(error instanceof ApiError) || error.status !== 401) throw error
    await keeper.renew(token)
    return work(await keeper.token())
  }
}

/**
 * One request and its answer, with this token or none.
 *
 * @throws ApiError
 */
export async function exchange<E extends Endpoint>(
  endpoint: E | Address<E>,
  input: Input<E>,
  token: string | null = null,
): Promise<AnswerOf<E>> {
  const { params, query, body, signal, cookies, onSent } = input
  const form = body instanceof FormData ? body : undefined
  const { status, content } = await send(urlOf(endpoint.path, params, query), signal, {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      ...input.headers,
      ...usualHeaders(token),
      ...(body !== undefined && !form && { 'content-type': 'application/json' }),
    },
    body: form ?? JSON.stringify(body),
    ...(cookies === false && { credentials: 'omit' }),
    onSent,
  })
  if (status < 200 || status >= 300) throw refusal(status, content)
  // The server has checked the answer against the same contract.
  return content as AnswerOf<E>
}

function usualHeaders(token: string | null): Record<string, string> {
  return {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(position && { [positionHeader]: position }),
  }
}

/** What a failure tells the user, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : unknownFailure
}

/** The address of a call, its parameters filled in; absent and empty query values are left out. */
export function urlOf(path: string, params: unknown, query: unknown): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(Object(params)[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(Object(query))) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return `${filled}?${search}`.replace(/\?$/, '')
}

type Received = { status: number; content: unknown }

type Sending = {
  method: string
  headers: Record<string, string>
  body: FormData | string | undefined
  credentials?: RequestCredentials
  onSent: ((share: number) => void) | undefined
}

async function send(url: string, signal: AbortSignal | undefined, sending: Sending): Promise<Received> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const cancel = () => controller.abort()
  let timer = setTimeout(cancel, timeoutMs)
  // A large file may take its time, as long as it moves on.
  const onProgress = (share: number) => {
    clearTimeout(timer)
    timer = setTimeout(cancel, timeoutMs)
    sending.onSent?.(share)
  }
  signal?.addEventListener('abort', cancel)
  try {
    const { onSent, ...init } = sending
    const response = onSent
      ? await sendWatched(url, sending, onProgress, controller.signal)
      : await fetch(url, { ...init, redirect: 'manual', signal: controller.signal })
    heardFromServer(true)
    return { status: response.status, content: contentOf(response, await response.text()) }
  } catch (error) {
    // A caller who cancelled expects that error; for the rest, the browser's own words are in English.
    if (signal?.aborted) throw error
    heardFromServer(false)
    throw new ApiError(500, unanswered)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

// Only the older interface tells how much of a body has left.
function sendWatched(
  url: string,
  { method, headers, body }: Sending,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total)
    request.onload = () => {
      const type = request.getResponseHeader('content-type') ?? ''
      resolve(
        new Response(request.responseText, { status: request.status, headers: { 'content-type': type } }),
      )
    }
    request.onerror = request.onabort = () => reject(new TypeError('no answer'))
    signal.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

function contentOf(response: Response, text: string): unknown {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/plain')) return text
  if (!type.includes('json')) return null
  try {
    return JSON.parse(text)
  } catch {
    // A proxy cut the answer: its status still says what happened.
    return null
  }
}

function refusal(status: number, content: unknown): ApiError {
  const { message, error, errors, title } = Object(content)
  const faults = Array.isArray(errors) ? errors.filter(isFault) : []
  const said = [message, error, faults[0]?.message, title, content].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  )
  return new ApiError(status, said ?? unknownFailure, faults)
}

function isFault(value: unknown): value is Fault {
  return typeof Object(value).message === 'string'
}

import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '#shared/contract.ts'
import { parseJson } from '#shared/parse-json.ts'
import { positionHeader } from '#shared/position.ts'
import { eitherSignal } from '#web/either-signal.ts'
import { recordServerAnswer } from '#web/network.ts'
import { recordServerDate } from '#web/server-time.ts'

/** Method and path of an endpoint without its schemas, so that a page that needs only these does not load zod. */
export type Address<E extends Endpoint> = Pick<E, 'method' | 'path'>

// For a generic endpoint the types of the parts are unknown, so each part is optional.
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

/** What a call sends; parts that the endpoint does not declare cannot be given. */
export type Input<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'body', Body<E>> & {
    query?: Partial<QueryOf<E>>
    /** Additional headers, such as an Idempotency-Key. */
    headers?: Record<string, string>
    signal?: AbortSignal
    /** False to neither send nor store cookies. */
    cookies?: false
    /** Called with the share of the body that has been sent, from 0 to 1. */
    onSent?: (share: number) => void
  }

/** The current access token, and the function that renews it, which rejects when the session is over. */
type TokenSource = { token: () => Promise<string | null>; renew: (used: string) => Promise<void> }

export type Fault = { field?: string; message: string }

/** An error response (status 400 or above), or no response at all, which has status 500. */
export class ApiError extends Error {
  readonly status: number
  readonly faults: readonly Fault[]

  constructor(status: number, message: string, faults: readonly Fault[] = []) {
    super(message)
    this.status = status
    this.faults = faults
  }

  /** Whether the server did not answer. */
  get isUnanswered(): boolean {
    return this.message === unanswered
  }

  /** Returns the status and the message: `409 • Une marque porte déjà ce nom.` */
  get statement(): string {
    return `${this.status} • ${this.message}`
  }
}

const timeoutMs = 120_000
const unknownFailure = 'Une erreur est survenue'
const unanswered = 'Erreur réseau'
let tokenSource: TokenSource | null = null
let position: string | null = null

/** Sets where calls get their token, and renew it. */
export function setTokenSource(source: TokenSource): void {
  tokenSource = source
}

/** From now on, responses must include all writes up to this position of the database's log, received with an event. */
export function setReadPosition(written: string): void {
  position = written
}

/**
 * Calls an endpoint as the signed-in user. On a 401 the session is renewed, once for all the calls in flight, and the
 * call is repeated.
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
 * Calls an endpoint as the signed-in user and returns the response before its body is read: a file or a stream.
 *
 * @param signal aborts the request and the reading of its body
 * @throws ApiError when the server refuses, or does not start to answer
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
    const signal = eitherSignal(input.signal, silence.signal)
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
  const token = (await tokenSource?.token()) ?? null
  try {
    return await work(token)
  } catch (error) {
    if (!tokenSource || !token || !(error instanceof ApiError) || error.status !== 401) throw error
    await tokenSource.renew(token)
    return work(await tokenSource.token())
  }
}

/**
 * Sends one request with this token, or none, and returns its response.
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
  // The cast is safe: the server validated the response against the same contract.
  return content as AnswerOf<E>
}

function usualHeaders(token: string | null): Record<string, string> {
  return {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(position && { [positionHeader]: position }),
  }
}

/** Returns the message to show to the user for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : unknownFailure
}

/** Returns a message without its final full stop, where a sentence goes on after it. */
export function withoutStop(message: string): string {
  return message.replace(/\.$/, '')
}

/** Returns the URL of a call with its parameters filled in; absent and empty query values are omitted. */
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
  // A large file may take long as long as it makes progress.
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
    recordServerAnswer(true)
    recordServerDate(response.headers.get('date'))
    return { status: response.status, content: contentOf(response, await response.text()) }
  } catch (error) {
    // A caller who cancelled expects the abort error; other errors get a French message, because the browser's is in
    // English.
    if (signal?.aborted) throw error
    recordServerAnswer(false)
    throw new ApiError(500, unanswered)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

// Only XMLHttpRequest reports the progress of an upload.
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
  // Null where a proxy truncated the response: its status is still valid.
  return parseJson(text)
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

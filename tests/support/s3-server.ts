// An S3 server in memory: it refuses requests that are not signed with its secret, and can stop answering.

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { AwsClient } from 'aws4fetch'
import { afterAll } from 'vitest'
import type { S3Settings } from '#server/files/s3.ts'

export type S3Server = {
  settings: S3Settings
  objects: Map<string, { bytes: Buffer; at: Date }>
  /** Requests received, as `METHOD /path`. */
  requests: string[]
  /** Stops or resumes answering. */
  silence(isSilent: boolean): void
}

/** Starts the server; objects are under `/bucket/`, and a page of a list has two of them. */
export async function startS3(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const requests: string[] = []
  let isSilent = false
  const server = createServer(async (request, response) => {
    const bytes = await bodyOf(request)
    if (isSilent) return
    const { pathname, searchParams } = new URL(request.url ?? '/', settings.url)
    requests.push(`${request.method} ${pathname}`)
    if (!(await isSigned(request, settings)))
      return response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
    const key = decodeURIComponent(pathname.slice('/bucket/'.length))
    if (searchParams.has('list-type')) return response.end(page(objects, searchParams))
    const object = objects.get(key)
    if (request.method === 'PUT') {
      if (Number(request.headers['content-length']) !== bytes.length) return response.writeHead(411).end()
      objects.set(key, { bytes, at: new Date() })
      return response.writeHead(200, { etag: createHash('md5').update(bytes).digest('hex') }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    if (!object) return response.writeHead(404).end('<Code>NoSuchKey</Code>')
    return response
      .writeHead(200, { 'content-length': object.bytes.length })
      .end(request.method === 'HEAD' ? undefined : object.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = Object(server.address())
  const settings: S3Settings = {
    url: `http://127.0.0.1:${port}`,
    bucket: 'bucket',
    key: 'AKIDEXAMPLE',
    secret: 'wJalrXUtnFEMI',
    region: 'kinshasa-1',
  }
  return {
    settings,
    objects,
    requests,
    silence: (silent) => {
      isSilent = silent
    },
  }
}

/** Whether the request is signed: signs it again, and compares. */
async function isSigned(
  request: IncomingMessage,
  { url, key, secret, region }: S3Settings,
): Promise<boolean> {
  const { authorization = '' } = request.headers
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  const headers = Object.fromEntries(
    names.filter((name) => name !== 'host').map((name) => [name, String(request.headers[name])]),
  )
  const client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: 's3' })
  const signed = await client.sign(`${url}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    aws: { datetime: String(request.headers['x-amz-date']) },
  })
  return signed.headers.get('authorization') === authorization
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function page(objects: S3Server['objects'], query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const shown = keys.slice(0, 2)
  const contents = shown.map(
    (key) =>
      `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><LastModified>${objects.get(key)?.at.toISOString()}</LastModified></Contents>`,
  )
  const next = keys.length > 2 ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : ''
  return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
}

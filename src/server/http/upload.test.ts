import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { Agent, request as open } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type FileStore, openFileStore } from '#server/files/file-store.ts'
import { createHttp } from '#server/http/app.ts'
import { createAdmission } from '#server/http/overload.ts'
import { receiveFile, type Upload } from '#server/http/upload.ts'
import { createLog } from '#server/log.ts'

const folder = mkdtempSync(join(tmpdir(), 'ntalo-upload-'))
const files = openFileStore(folder)
/** Every write fails as on a full disk. */
const onFullDisk: FileStore = {
  ...files,
  keep(key, content) {
    symlinkSync('/dev/full', join(folder, `${key}.unfinished`))
    return files.keep(key, content)
  },
}
const http = await createHttp({
  log: createLog('silent'),
  publicUrl: null,
  trustedProxies: 0,
  admission: createAdmission(),
})
http.post('/api/imports', { config: { right: 'public' } }, (request) => receiveFile(request, files, 1_000))
http.post('/api/full', { config: { right: 'public' } }, (request) =>
  receiveFile(request, onFullDisk, 50_000_000),
)
const url = await http.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
})

const storedFiles = () => readdirSync(folder)

async function send(...parts: { name: string; content: string; file?: string }[]) {
  const form = new FormData()
  for (const { name, content, file } of parts) {
    if (file === undefined) form.append(name, content)
    else form.append(name, new File([content], file))
  }
  const response = await fetch(`${url}/api/imports`, { method: 'POST', body: form })
  return { status: response.status, body: (await response.json()) as Upload & { message: string } }
}

test('a file is stored completely, under a key of ours', async () => {
  const { status, body } = await send(
    { name: 'note', content: 'rien' },
    { name: 'n’importe', content: 'é'.repeat(500), file: '../../prix \u202eété.csv' },
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({ fileName: 'prix été.csv', bytes: 1_000 })
  expect(storedFiles()).toEqual([body.key])
  let read = ''
  for await (const chunk of files.read(body.key)) read += Buffer.from(chunk)
  expect(read).toBe('é'.repeat(500))
})

test('a file that is too large is refused with the limit, and no part of it is left', async () => {
  const { status, body } = await send({ name: 'file', content: 'x'.repeat(1_001), file: 'prix.csv' })
  expect([status, body.message]).toEqual([413, 'Le fichier dépasse 0,001\u00a0Mo.'])
  expect(storedFiles()).toEqual([])
  expect((await send({ name: 'file', content: 'x'.repeat(300_000), file: 'prix.csv' })).status).toBe(413)
  expect(storedFiles()).toEqual([])
})

test('a stored file is readable only by the server’s user', async () => {
  const { body } = await send({ name: 'file', content: 'x', file: 'prix.csv' })
  expect(statSync(join(folder, body.key)).mode & 0o777).toBe(0o600)
})

test.skipIf(process.platform !== 'linux')(
  'a full disk is reported, and the connection continues',
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { port } = new URL(url)
    const head = '--limite\r\nContent-Disposition: form-data; name="file"; filename="prix.csv"\r\n\r\n'
    const body = Buffer.concat([
      Buffer.from(head),
      Buffer.alloc(20_000_000, 'x'),
      Buffer.from('\r\n--limite--\r\n'),
    ])
    const post = (path: string) =>
      new Promise<{ status: number | undefined; text: string; port: number | undefined }>((done, fail) => {
        const headers = {
          'content-type': 'multipart/form-data; boundary=limite',
          'content-length': body.length,
        }
        const request = open(
          { port, host: '127.0.0.1', path, method: 'POST', headers, agent },
          (response) => {
            let text = ''
            response.on('data', (piece) => {
              text += piece
            })
            const { localPort } = response.socket
            response.on('end', () => done({ status: response.statusCode, text, port: localPort }))
          },
        )
        request.on('error', fail)
        request.end(body)
      })
    const first = await post('/api/full')
    expect(first).toMatchObject({ status: 503, text: expect.stringContaining('Réessayez plus tard') })
    const second = await post('/api/full')
    expect([second.status, second.port]).toEqual([503, first.port])
    expect(storedFiles()).toEqual([])
    agent.destroy()
  },
)

test('two files, or none, are refused, and no part of them is left', async () => {
  const file = { name: 'file', content: 'x', file: 'prix.csv' }
  expect((await send(file, file)).status).toBe(400)
  expect((await send({ name: 'file', content: 'x' })).status).toBe(400)
  expect(storedFiles()).toEqual([])
})

test('an upload that is cut off leaves nothing', async () => {
  const { port } = new URL(url)
  const head =
    '--limite\r\nContent-Disposition: form-data; name="file"; filename="prix.csv"\r\n\r\ndate;price\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=limite', 'content-length': '900' }
  const request = open({ port, host: '127.0.0.1', path: '/api/imports', method: 'POST', headers })
  request.on('error', () => {})
  request.write(head)
  await expect.poll(storedFiles, { interval: 5 }).toEqual([expect.stringMatching(/\.unfinished$/)])
  request.destroy()
  await expect.poll(storedFiles, { interval: 5 }).toEqual([])
})

test('any form is answered at once, and a refused one leaves no file', async () => {
  const pieces = [
    '--b',
    '--b--',
    '\r\n',
    '\r\n\r\n',
    'x',
    '-',
    '\n',
    'Content-Disposition: form-data; name="a"',
    '; filename="a.csv"',
  ]
  const form = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((chosen) => chosen.join(''))
  const answer = async (body: string) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const response = await fetch(`${url}/api/imports`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  }
  expect(await answer('--b\r\n\r\n--b--\r\n')).toBe(400)
  expect(await answer('--b\r\nX: y\r\n\r\n--b--\r\n')).toBe(400)
  await fc.assert(
    fc.asyncProperty(fc.array(form, { minLength: 20, maxLength: 20 }), async (forms) => {
      const statuses = await Promise.all(forms.map(answer))
      expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([])
      expect(storedFiles()).toHaveLength(statuses.filter((status) => status === 200).length)
      for (const name of storedFiles()) rmSync(join(folder, name))
    }),
    { seed: 1, numRuns: 10 },
  )
})

test('a name that cannot be shown is replaced', async () => {
  const name = `${'a'.repeat(300)}\u0007.csv`
  const { body } = await send({ name: 'file', content: 'x', file: name })
  expect(body.fileName).toBe('a'.repeat(200))
})

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newWebhookSecret, shownSecret, signedHeaders } from '#server/webhooks/signature.ts'
import { eventually } from '../../../tests/support/waiting.ts'

const examples = join(import.meta.dirname, '../../../docs/examples')
const programs = [
  { name: 'JavaScript', command: process.execPath, file: 'webhook-receiver.mjs' },
  { name: 'Python', command: 'python3', file: 'webhook_receiver.py' },
].filter(({ command }) => spawnSync(command, ['--version']).status === 0)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  return port
}

async function started(command: string, file: string) {
  const [secret, port] = [newWebhookSecret(), await freePort()]
  const program = spawn(command, [join(examples, file)], {
    env: { ...process.env, NTALO_SECRET: shownSecret(secret), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  program.stdout.on('data', (chunk) => {
    output += chunk
  })
  onTestFinished(async () => {
    program.kill()
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
  })
  const send = (body: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).then(
      ({ status }) => status,
      () => null,
    )
  await eventually('the receiver listens', async () => (await send('{}', {})) === 400)
  return { secret, send, output: () => output }
}

describe.each(programs)('the published receiver in $name', ({ command, file }) => {
  test('accepts messages signed with either of two secrets, and no others', async () => {
    const { secret, send, output } = await started(command, file)
    const body = JSON.stringify({ type: 'price.created', data: { name: 'Éclair' } })
    const signed = (secrets: Buffer[], at = new Date(), text = body) =>
      signedHeaders({ id: 'msg_1', body: text }, secrets, at)
    expect(await send(body, signed([secret]))).toBe(204)
    expect(await send(body, signed([newWebhookSecret(), secret]))).toBe(204)
    const old = new Date(Date.now() - 3_600_000)
    for (const wrong of [
      signed([newWebhookSecret()]),
      signed([secret], old),
      signed([secret], new Date(), '{}'),
    ]) {
      expect(await send(body, wrong)).toBe(400)
    }
    await expect.poll(output).toBe('msg_1 price.created\nmsg_1 price.created\n')
  })
})

test('the receiver in JavaScript is tested everywhere', () => {
  expect(programs.map(({ name }) => name)).toContain('JavaScript')
})

import { describe, expect, test } from 'vitest'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()

describe('an unsupported method of an address', () => {
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const { token } = await server.as('collector')
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    const answer = await fetch(server.url + path, { method, ...init, headers })
    const text = await answer.text()
    return { status: answer.status, allow: answer.headers.get('allow'), body: text && JSON.parse(text) }
  }

  test('is refused with the supported methods', async () => {
    expect(await ask('PATCH', '/api/brands')).toMatchObject({
      status: 405,
      allow: 'GET, HEAD, POST',
      body: {
        message: 'Cette adresse n’accepte pas la méthode PATCH.',
        error: 'Méthode non autorisée',
        errors: [],
      },
    })
    expect(await ask('POST', '/api/brands/1')).toMatchObject({ status: 405, allow: 'GET, HEAD, PUT, DELETE' })
    expect(await ask('GET', '/api/auth/login')).toMatchObject({ status: 405, allow: 'POST' })
  })

  test('is refused before its body is read', async () => {
    const init = { body: '{', headers: { 'content-type': 'text/nonsense' } }
    expect(await ask('PATCH', '/api/prices', init)).toMatchObject({ status: 405 })
  })

  test('is not read as the id of a neighbouring route', async () => {
    expect(await ask('DELETE', '/api/brands/export')).toMatchObject({ status: 405, allow: 'GET' })
  })

  test('is HEAD when the response is a file or a stream, made while it is sent', async () => {
    for (const path of ['/api/prices/export', '/api/prices/live', '/api/imports/1/rejected']) {
      expect(await ask('HEAD', path), path).toMatchObject({ status: 405, allow: 'GET' })
    }
  })

  test('excludes OPTIONS, which lists the methods', async () => {
    expect(await ask('OPTIONS', '/api/products/1')).toMatchObject({
      status: 204,
      allow: 'GET, HEAD, PUT, DELETE',
    })
  })

  test('does not make an unknown address known', async () => {
    expect(await ask('PATCH', '/api/nowhere')).toMatchObject({ status: 404, allow: null })
  })
})

import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { invalidField } from '#server/errors.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Endpoint } from '#shared/contract.ts'
import { mostPerPage, optionalQuery } from '#shared/fields.ts'

type List = {
  /** Query of the contract, extended with the parameter `fields`. */
  query: z.ZodObject
  /** Sets a serializer that writes only the requested fields. */
  prepare(call: { query: unknown; reply: FastifyReply }): void
}

/**
 * Adds the parameter `fields` (a subset of fields) to a list endpoint. Returns null for an endpoint that is not a list.
 *
 * @param answer schema of the response
 */
export function readList({ method, query, response }: Endpoint, answer: z.ZodType): List | null {
  if (method !== 'GET' || !(query instanceof z.ZodObject) || !('page' in query.shape)) return null
  const row = rowOf(response)
  if (!row) return null
  const names = Object.keys(row.shape)
  const expected = `Champs possibles\u00a0: ${names.join(', ')}`
  const fields = z
    .string('Les champs sont donnés une fois, séparés par des virgules')
    .transform((text) => text.split(',').map((name) => name.trim()))
    .refine((chosen) => chosen.every((name) => names.includes(name)), expected)
  return {
    query: query.safeExtend({ fields: optionalQuery(fields) }),
    prepare({ query: asked, reply }) {
      const { fields: chosen } = asked as { fields?: string[] }
      if (!chosen) return
      const write = (given: unknown) => JSON.stringify(pickFields(chosen, z.encode(answer, given)))
      reply.type('application/json; charset=utf-8').serializer(write)
    },
  }
}

/** @throws AppError 400 for a page size that only an API key may request */
export function refuseLargePage({ query, actor }: { query: unknown; actor: Actor | null }): void {
  const { limit } = Object(query) as { limit?: unknown }
  if (typeof limit !== 'number' || limit <= mostPerPage.session || actor?.key) return
  throw invalidField('limit', `La limite est un entier de 1 à ${mostPerPage.session}`)
}

/** Returns the schema of the rows of a list. */
function rowOf(response: z.ZodType): z.ZodObject | undefined {
  if (!(response instanceof z.ZodObject)) return undefined
  const lists = Object.values(response.shape).filter((part) => part instanceof z.ZodArray)
  return lists.map(({ element }) => element).find((element) => element instanceof z.ZodObject)
}

/** Returns a list response whose rows have only these fields. */
function pickFields(fields: readonly string[], answer: unknown): unknown {
  const picked = (row: unknown) => {
    if (typeof row !== 'object' || row === null) return row
    return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)))
  }
  const parts = Object.entries(answer as object)
  return Object.fromEntries(
    parts.map(([name, part]) => [name, Array.isArray(part) ? part.map(picked) : part]),
  )
}

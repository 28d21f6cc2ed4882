import { exportFound, foundColumns } from '#features/collection/found/found.contract.ts'
import { selectFound } from '#features/collection/found/found.sql.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

const noun = { one: 'Visite', many: 'visites', gender: 'f' } as const

export function foundRoutes(api: Api, exports: Exports): void {
  api.on(exportFound, (call) =>
    exports.list(call, { noun, columns: foundColumns }, (_db, query) => selectFound(query)),
  )
}

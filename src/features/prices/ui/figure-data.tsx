import { memo } from 'react'
import type { Selected } from '#features/prices/listed.rules.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { ExportMenu } from '#web/export-menu.tsx'

/** Exports exactly the prices that the figures of a selection are computed from. */
export const FigureData = memo(function FigureData({ rows }: { rows: Selected }) {
  return (
    <div className="no-print">
      <ExportMenu
        endpoint={priceAddresses.exportAll}
        query={{ ...rows, behind: 'figures' }}
        label="Les données de ce chiffre"
      />
    </div>
  )
})

import { priceAddresses } from '#features/prices/prices.addresses.ts'
import type { Selected } from '#features/prices/ui/price-selection.ts'
import { ExportMenu } from '#web/export-menu.tsx'

/**
 * The prices behind the figures of a selection, and nothing else, as a file.
 *
 * @param of which of several figures it is, said to those who do not see what it stands beside
 */
export function FigureData({ rows, of }: { rows: Selected; of?: string | undefined }) {
  return (
    <div className="no-print">
      <ExportMenu
        endpoint={priceAddresses.exportAll}
        query={{ ...rows, behind: 'figures' }}
        label={of ? `Les données de ${of}` : 'Les données de ce chiffre'}
      />
    </div>
  )
}

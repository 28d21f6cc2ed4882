import { Download } from 'lucide-react'
import { useState } from 'react'
import { ownAccount } from '#features/account/account.contract.ts'
import { download } from '#web/download.ts'
import { statementOf } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { toast } from '#web/ui/toast.ts'

/** Downloads all data stored about the user. */
export function OwnData() {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await download(ownAccount.exportAll, { signal: new AbortController().signal }, () => undefined)
    } catch (error) {
      toast.error(statementOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card
      title="Vos données"
      description={
        'Tout ce que Ntalo garde de vous, dans un fichier JSON\u00a0: compte, sessions, abonnements, paiements, relevés.'
      }
      actions={
        <Button icon={Download} busy={isBusy} onClick={() => void save()}>
          Télécharger mes données
        </Button>
      }
    />
  )
}

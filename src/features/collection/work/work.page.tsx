import { exportFound } from '#features/collection/found/found.contract.ts'
import { PlannedVisits } from '#features/collection/plans/ui/planned-visits.tsx'
import { type FieldWork, listWork } from '#features/collection/work/work.contract.ts'
import { mostPerPage } from '#shared/fields.ts'
import { ExportMenu } from '#web/export-menu.tsx'
import { formatCount, formatDate, formatNumber, formatPercent } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Card, Facts } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** /visites: the field work of all agents in 30 days. */
export const WorkPage = () => <Work title="Visites" query={{}} />

/** /mes-visites: the caller's own field work. */
export const OwnWorkPage = () => <Work title="Mes visites" query={{ mine: 'true' }} />

function Work({ title, query }: { title: string; query: { mine?: 'true' } }) {
  const answer = useAnswer(listWork, { query })
  return (
    <>
      <PageHeader
        title={title}
        description="Le travail de terrain des 30 derniers jours. Un prix inchangé plus souvent que chez les autres mérite un regard."
        actions={!query.mine && <ExportMenu endpoint={exportFound} label="Exporter les visites" />}
      />
      {answer.error && !answer.data && (
        <LoadFailure title="Erreur lors du chargement des visites" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="h-60 w-full" />}
      {answer.data?.data.length === 0 && (
        <EmptyState title="Aucun agent">
          Un agent apparaît ici quand un marché lui est confié, ou après sa première visite.
        </EmptyState>
      )}
      <PlannedVisits
        isOwn={query.mine === 'true'}
        agents={answer.data?.data.map(({ agent }) => agent) ?? []}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        {answer.data?.data.map((work) => (
          <Card key={work.agent.id} title={work.agent.name} description={silenceText(work)}>
            <Facts columns={2} items={factsOf(work)} />
          </Card>
        ))}
      </div>
      {answer.data && answer.data.data.length >= mostPerPage.session && (
        <p className="text-ink-soft">
          {`Voici les ${mostPerPage.session} agents silencieux depuis le plus longtemps.`}
        </p>
      )}
    </>
  )
}

function silenceText({ lastVisitOn }: FieldWork): string {
  return lastVisitOn ? `Dernière visite le ${formatDate(lastVisitOn)}` : 'Pas encore de visite'
}

const shareText = (share: number | null) => (share === null ? '–' : formatPercent(100 * share, false))

function factsOf(work: FieldWork) {
  const { visits, markets, goodsPerVisit, minutesPerVisit, othersUnchangedShare } = work
  const others = othersUnchangedShare === null ? '' : ` (les autres ${shareText(othersUnchangedShare)})`
  return [
    {
      label: 'Visites',
      value: visits > 0 ? `${visits}, dans ${formatCount(markets, 'marché', 'marchés')}` : 'Aucune',
    },
    {
      label: 'Visites prévues',
      value:
        work.planned > 0
          ? `${formatCount(work.plannedDone, 'faite', 'faites')} sur ${work.planned}`
          : 'Aucune',
    },
    {
      label: 'Produits par visite',
      value: goodsPerVisit === null ? '–' : formatNumber(goodsPerVisit, 1),
    },
    {
      label: 'Minutes par visite',
      value: minutesPerVisit === null ? '–' : formatNumber(minutesPerVisit, 0),
    },
    { label: 'Prix renvoyés', value: shareText(work.returnedShare) },
    { label: 'Prix inchangés', value: `${shareText(work.unchangedShare)}${others}` },
  ]
}

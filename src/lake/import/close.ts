import { type Base, onNewestBase } from '../publish/base.ts'
import { publish } from '../publish/publish.ts'
import { withStaging } from '../publish/staging.ts'
import { currentNumber } from '../store/current.ts'
import { lakeFolder } from '../store/layout.ts'

/**
 * Closes the trading days of a lake up to `date`, whatever their number of rows. Returns the lake's snapshot; it is
 * unchanged if the days are closed already or `date` is null. Rejects with lake_missing, lake_damaged, lake_newer,
 * lake_conflict or lake_write.
 */
export async function closeDays(
  lake: string,
  date: string | null,
): Promise<{ readonly snapshot: number; readonly published: boolean }> {
  const folder = lakeFolder(lake)
  const number = await currentNumber(folder)
  if (date === null) return { snapshot: number, published: false }
  const close = async (base: Base) => {
    const published = date > (base.record?.closed ?? '')
    const snapshot = published
      ? await publish(base, [], [], { made_by: 'import --close', closed: date })
      : base.number
    return { snapshot, published }
  }
  return withStaging(folder, 'write', staging => onNewestBase(folder, staging, close))
}

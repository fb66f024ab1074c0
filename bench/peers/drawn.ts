import { lakeRows, type Parameters } from '../measure/lake-rows.ts'
import { QUESTIONS, type Question } from './questions.ts'

/** A question with the requests that are made of a lake. */
export interface Drawn {
  readonly question: Question
  readonly requests: readonly Parameters[]
}

export async function draw(lake: string): Promise<readonly Drawn[]> {
  const rows = await lakeRows(lake)
  const drawn: Drawn[] = []
  for (const question of QUESTIONS) {
    const requests = await rows.find(question.draw)
    if (requests.length === 0) throw new Error(`the lake has no request for ${question.name}`)
    drawn.push({ question, requests })
  }
  rows.close()
  return drawn
}

import { expect, onTestFinished } from 'vitest'
import { serveForTest } from '../../fixtures/service.ts'

/** Asks the API over an imported lake, for the time of one test; each answer is its JSON. */
export async function answered(at: { readonly folder: string; readonly lake: string }) {
  const service = await serveForTest(at.folder, at.lake)
  onTestFinished(() => service.close())
  return async <T>(url: string): Promise<T> => {
    const { statusCode, payload } = await service.server.inject({
      url,
      headers: { authorization: `Bearer ${service.token}` },
    })
    expect({ url, statusCode }).toEqual({ url, statusCode: 200 })
    return JSON.parse(payload) as T
  }
}

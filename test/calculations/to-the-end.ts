import type { Float64, Vector } from 'apache-arrow'
import {
  type CorrelationMethod,
  correlationTriangle as correlationSteps,
  covarianceTriangle as covarianceSteps,
} from '../../src/calculations/lower-triangle.ts'

/** Runs paused work to its end without a pause, and returns what it made. */
function toTheEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The triangles in one go. */
export const covarianceTriangle = (series: readonly Vector<Float64>[]) => toTheEnd(covarianceSteps(series))
export const correlationTriangle = (series: readonly Vector<Float64>[], method: CorrelationMethod) =>
  toTheEnd(correlationSteps(series, method))

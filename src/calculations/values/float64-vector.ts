import { Float64, makeData, Vector } from 'apache-arrow'

/**
 * A vector over the array without a copy: a change of the array changes the vector.
 *
 * @param values the numbers, in order
 * @param validity Arrow's validity bitmap: value i is not null if bit i & 7 of byte i >> 3 is set. Default: no nulls
 */
export function float64Vector(values: Float64Array, validity?: Uint8Array): Vector<Float64> {
  const data = makeData({
    type: new Float64(),
    length: values.length,
    data: values,
    ...(validity === undefined ? {} : { nullBitmap: validity }),
  })
  return new Vector([data])
}

import { Float64, makeData, Vector } from 'apache-arrow'

/**
 * A vector over the values as they stand: nothing is copied, so the vector lives and changes with the array.
 *
 * @param values the numbers, in order
 * @param validity Arrow's validity bitmap, bit i of byte i >> 3 set where value i is not null; absent: no nulls
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

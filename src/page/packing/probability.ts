const LIMIT = 12;
const STEPS = 170;

/** The probabilities of the logits from -12 to 12. */
const PROBABILITIES = Float64Array.from({ length: 2 * LIMIT * STEPS + 1 }, (_, i) => {
  // (1 - x / 1024)^1024 stands in for e^-x, whose last digits differ from engine to engine.
  let power = 1 - (i / STEPS - LIMIT) / 1024;
  for (let squarings = 0; squarings < 10; squarings += 1) power *= power;
  return 1 / (1 + power);
});

/** Returns the probability of a logit: more than 0, less than 1, and the same number in every engine. */
export function probabilityOf(logit: number): number {
  const within = logit > LIMIT ? LIMIT : logit < -LIMIT ? -LIMIT : logit;
  return PROBABILITIES[((within + LIMIT) * STEPS) | 0] ?? 0.5;
}

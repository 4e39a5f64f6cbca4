import { describe, expect, test } from 'vitest';
import { parseDomainName } from '../../../src/core/dnssec/domainName.ts';
import { DnssecError } from '../../../src/core/dnssec/fault.ts';
import { type Resolved, resolveName } from '../../../src/core/dnssec/resolve.ts';
import { makeNameCases, type NameCase, TEXT } from '../../support/nameCases.ts';
import { DNS, proofOf, WINDOW } from '../../support/zones.ts';

const { anchors, cases } = makeNameCases();

function outcome(
  { question, records }: Pick<NameCase, 'question' | 'records'>,
  proof = proofOf(...records),
): Resolved | string {
  const name = parseDomainName(question.replace(/\.$/, ''));
  if (!name) throw new Error(`${question} is not a name`);
  try {
    return resolveName(proof, { name, type: DNS.TXT, anchors });
  } catch (error) {
    if (error instanceof DnssecError) return error.fault;
    throw error;
  }
}

const texts = ({ records }: Resolved): readonly string[] =>
  records.map((data) => Buffer.from(data.subarray(1)).toString());

describe('a proof is right', () => {
  test.each(cases.filter(({ fault }) => !fault))('$label', (one) => {
    const found = outcome(one);
    if (typeof found === 'string') expect.unreachable(found);
    expect(texts(found)).toContain(TEXT);
    expect(found).toMatchObject({
      from: WINDOW.from,
      until: WINDOW.until,
      ttl: 300,
      isWildcard: one.isWildcard === true,
    });
  });
});

describe('a proof is refused', () => {
  test.each(cases.filter(({ fault }) => fault))('$label', (one) => {
    expect(outcome(one)).toBe(one.fault);
  });
});

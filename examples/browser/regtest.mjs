// A regtest in a page, whose title shows what a wallet was paid, and why a page cannot listen.
import { startRegtest } from 'countersign/regtest';

const chain = startRegtest();
const shop = chain.wallet('shop');
chain.fund(shop.address(), 25_000_000n);

chain.listen().catch((error) => {
  document.title = `${shop.balance()} satoshi. ${error.message}`;
});

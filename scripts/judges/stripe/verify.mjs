// Lets Stripe's own library judge webhook signatures. Reads a JSON array of {secret, header, body} from standard input and
// writes an array of booleans; the body is in base64.
import Stripe from "stripe";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { signature } = new Stripe("sk_test_none").webhooks;
const verdicts = JSON.parse(Buffer.concat(chunks)).map(({ secret, header, body }) => {
  try {
    return signature.verifyHeader(Buffer.from(body, "base64"), header, secret, 300);
  } catch (error) {
    if (error.type === "StripeSignatureVerificationError") return false;
    throw error;
  }
});
process.stdout.write(JSON.stringify(verdicts));

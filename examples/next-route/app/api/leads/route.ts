import { answerError } from '../../../lib/answer-error.ts';
import { confab } from '../../../lib/confab.ts';

/** Takes the contact form. */
export const POST = async (request: Request): Promise<Response> => {
  const form = await request.json().catch(() => null);
  try {
    // Field by field, so that no visitor chooses a pipeline. The client checks them before anything is sent.
    const { phone, displayName, email } = form ?? {};
    await confab().leads.ensure({ phone, displayName, email, source: 'website' });
    // The same whether or not the phone was known: that is nobody else's business.
    return Response.json({ received: true }, { status: 202 });
  } catch (error) {
    return answerError(error);
  }
};

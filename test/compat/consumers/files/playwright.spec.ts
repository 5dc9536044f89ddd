/** What a user of Playwright writes: run and compiled in `main.ts`. */
import { expect, test } from '@confab/mock/playwright';

test.use({ mockOptions: { baseUrl: 'https://api.example.com' } });

test('a page calls the mock, which loses the first connection', async ({ page, mock }) => {
  mock.faults.once('leads.create', { network: 'error' });
  await page.setContent(`
    <output></output>
    <button>Sign up</button>
    <script>
      document.querySelector('button').addEventListener('click', async () => {
        const { status } = await fetch('${mock.baseUrl}/api/v2/public/leads', {
          method: 'POST',
          headers: { 'x-api-key': '${mock.apiKey}', 'content-type': 'application/json' },
          body: JSON.stringify({ phone: '+5511987654321' }),
        }).catch(() => ({ status: 'connection lost' }));
        document.querySelector('output').textContent = status;
      });
    </script>
  `);
  await page.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText('connection lost');
  await page.getByRole('button').click();
  await expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
  await expect(page.getByRole('status')).toHaveText('201');
  // @ts-expect-error no operation has this name
  await expect(expect(mock).toHaveReceived('lead.create')).rejects.toThrow('Did you mean "leads.create"?');
});

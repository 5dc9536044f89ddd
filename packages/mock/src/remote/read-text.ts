import { createGrowingBuffer } from '@confab/internal';

/**
 * Reads the text of a response; `undefined`, and no further, once it turns out to be too large.
 *
 * @param most The maximum number of bytes.
 */
export const readText = async (response: Response, most: number): Promise<string | undefined> => {
  const buffer = createGrowingBuffer(most);
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    if (!buffer.append(part.value)) {
      await reader?.cancel();
      return undefined;
    }
  }
  return new TextDecoder().decode(buffer.bytes());
};

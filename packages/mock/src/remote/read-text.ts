import { createGrowingBuffer } from '@confab/internal';

/** Thrown when a response is larger than a mock sends. */
export class ResponseTooLarge extends Error {}

/**
 * Reads the text of a response.
 *
 * @param most The maximum number of bytes.
 * @throws {@link ResponseTooLarge} When it has more.
 */
export const readText = async (response: Response, most: number): Promise<string> => {
  const buffer = createGrowingBuffer(most);
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    if (!buffer.append(part.value)) {
      await reader?.cancel();
      throw new ResponseTooLarge();
    }
  }
  return new TextDecoder().decode(buffer.bytes());
};

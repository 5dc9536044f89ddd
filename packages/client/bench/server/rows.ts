/** The n-th row of a list, with the fields of a lead and those that openai and stripe need. */
export const rowOf = (number: number) => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  object: 'row',
  pipelineId: 'a1b2c3d4-e5f6-4a1b-8c2d-3e4f5a6b7c55',
  phone: `+55119${String(number).padStart(8, '0')}`,
  displayName: `Lead ${number}`,
  email: null,
  source: 'api',
  status: 'new',
  createdAt: '2026-01-31T12:00:00.000Z',
});

/** The number that a row's id tells. */
export const numberOf = (id: string): number => Number(id.slice(-12));

/** The row that every single read asks for. */
export const ROW = rowOf(1);

import type { DateForm } from '../scenario/scenario.ts';

const LONG_DAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });

/** A time in one of the three forms of a date in HTTP (RFC 9110, section 5.6.7). */
export const httpDate = (ms: number, form: DateForm): string => {
  const imf = new Date(ms).toUTCString();
  const [weekday, day = '', month, year = '', time] = imf.replace(',', '').split(' ');
  switch (form) {
    case 'imf':
      return imf;
    case 'rfc850':
      return `${LONG_DAY.format(ms)}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
    case 'asctime':
      return `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
  }
};

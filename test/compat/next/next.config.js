export default { cacheComponents: process.env.CACHE_COMPONENTS === 'true' };

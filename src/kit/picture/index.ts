export { drawReview, type PictureOptions } from './drawReview.ts';
export type { PictureWords } from './words.ts';

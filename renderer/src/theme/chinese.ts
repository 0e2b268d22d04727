/** Chinese characters for systems without a Chinese font, in slices that are fetched as a page needs them. */
import '@fontsource-variable/noto-sans-sc/wght.css';

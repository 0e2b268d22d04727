/** One picture of a screen or window that the person picks. */

export const canCapture = (): boolean => typeof navigator.mediaDevices?.getDisplayMedia === 'function';

/** Undefined when the person picks nothing. */
export async function captureScreen(): Promise<File | undefined> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getDisplayMedia({ video: true });
  } catch {
    return undefined;
  }
  try {
    const video = document.createElement('video');
    video.srcObject = stream;
    video.muted = true;
    await video.play();
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    return blob ? new File([blob], 'screen.png', { type: 'image/png' }) : undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

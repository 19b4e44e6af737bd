package io.quantail.app.dashboard;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Reduces screenshots to their most frequent colours, which makes their files smaller. */
final class ScreenshotPalette {
  private static final int COLOURS = 256;

  private ScreenshotPalette() {}

  static byte[] reduce(byte[] png) throws IOException {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    int[] pixels =
        image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    Map<Integer, Integer> counts = new HashMap<>();
    for (int pixel : pixels) {
      counts.merge(coarse(pixel), 1, Integer::sum);
    }
    List<Integer> frequent =
        counts.entrySet().stream()
            .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
            .limit(COLOURS)
            .map(Map.Entry::getKey)
            .toList();
    return write(image.getWidth(), image.getHeight(), pixels, frequent);
  }

  /** Six bits of each channel. */
  private static int coarse(int rgb) {
    int kept = rgb & 0xfcfcfc;
    return kept | kept >> 6 & 0x030303;
  }

  private static byte[] write(int width, int height, int[] pixels, List<Integer> palette)
      throws IOException {
    int[] colours = palette.stream().mapToInt(Integer::intValue).toArray();
    IndexColorModel model = new IndexColorModel(8, colours.length, colours, 0, false, -1, 0);
    BufferedImage indexed =
        new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, model);
    Map<Integer, Integer> nearest = new HashMap<>();
    int[] indices = new int[pixels.length];
    for (int i = 0; i < pixels.length; i++) {
      indices[i] = nearest.computeIfAbsent(coarse(pixels[i]), rgb -> nearest(colours, rgb));
    }
    indexed.getRaster().setPixels(0, 0, width, height, indices);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(indexed, "png", bytes);
    return bytes.toByteArray();
  }

  private static int nearest(int[] colours, int rgb) {
    int best = 0;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < colours.length; i++) {
      long distance = 0;
      for (int shift = 0; shift <= 16; shift += 8) {
        long difference = (colours[i] >> shift & 0xff) - (rgb >> shift & 0xff);
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }
}

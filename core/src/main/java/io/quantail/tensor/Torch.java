package io.quantail.tensor;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.global.torch;

/**
 * Loads libtorch once, safely, and fixes it to one thread.
 *
 * <p>JavaCPP extracts native libraries while it loads them; with an empty cache this crashes the
 * JVM, because a library is loaded before the ones it needs have been extracted. So everything is
 * extracted first, under a file lock since several JVMs may start at once. Pinned by {@code
 * TorchLoadingTest}.
 */
public final class Torch {
  private static final String[] NATIVE_LIBRARIES = {"pytorch", "openblas"};

  static {
    try {
      extractNatives();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot extract the libtorch natives", failure);
    }
    Loader.load(torch.class);
    useOneThread();
  }

  private Torch() {}

  /** Makes sure that libtorch is loaded; cheap after the first call. */
  public static void load() {
    // Entering this method has run the static initialiser.
  }

  /** Two OpenMP threads are slower than one on tensors of this size; the cores are used by Java. */
  static void useOneThread() {
    torch.set_num_threads(1);
  }

  /** Versions and processor features on which bit-exact repetition depends. */
  public static Map<String, String> versions() {
    return Map.of(
        "libtorch", version(),
        "cpuCapability", torch.get_cpu_capability().getString(),
        "platform", Loader.getPlatform());
  }

  private static String version() {
    Matcher matcher =
        Pattern.compile("TORCH_VERSION=([^,]+)").matcher(torch.show_config().getString());
    return matcher.find() ? matcher.group(1) : "unknown";
  }

  /**
   * How many native objects are alive in this process; flat over time when nothing leaks. JavaCPP
   * counts only while its garbage collection is on: with {@code noPointerGC} this is always 0.
   */
  public static long livePointers() {
    return Pointer.totalCount();
  }

  /** Resident memory of this process in bytes. */
  public static long residentBytes() {
    return Pointer.physicalBytes();
  }

  private static void extractNatives() throws IOException {
    File cache = Loader.getCacheDir();
    Path lockFile = cache.toPath().resolve("quantail.lock");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      for (String library : NATIVE_LIBRARIES) {
        String folder = "/org/bytedeco/" + library + "/" + Loader.getPlatform() + "/";
        if (Loader.cacheResource(torch.class, folder) == null) {
          throw new IOException(
              "no " + library + " natives for " + Loader.getPlatform() + " on the class path");
        }
      }
    }
  }
}

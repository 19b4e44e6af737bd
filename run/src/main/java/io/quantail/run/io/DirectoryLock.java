package io.quantail.run.io;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to write in a directory: one process has it at a time, from {@link #acquire} to {@link
 * #close}. Runs, studies and populations have one for the whole life of the process that works in
 * them.
 *
 * <p>The owner locks the file {@code lock} with the operating system, which releases it however the
 * process ends, and writes its host, process and start time into it. Where the operating system
 * does not lock, as on some shared file systems, the content decides: an owner on this host is
 * present while its process runs, one on another host while it writes the file again every few
 * seconds. The lock of an owner that is gone is taken over. An owner that was paused and lost the
 * lock meanwhile notices it in {@link #requireHeld}.
 *
 * <p>The file stays, because deleting a locked file would let two processes lock two files of one
 * name; its content is removed.
 */
public final class DirectoryLock implements AutoCloseable {
  /** Name of the file in the directory. */
  public static final String FILE = "lock";

  private static final Duration BEAT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long SETTLE_MILLIS = 300;
  private static final int MAX_BYTES = 4_096;
  private static final Map<Path, DirectoryLock> HELD = new ConcurrentHashMap<>();

  /** Locks a file with the operating system. */
  @FunctionalInterface
  interface SystemLock {
    /** Returns null if another process has locked the file; throws if it cannot be locked. */
    @Nullable FileLock of(FileChannel file) throws IOException;
  }

  /** Beyond the content, which other processes must be able to read on every platform. */
  private static final SystemLock SYSTEM = file -> file.tryLock(Long.MAX_VALUE - 1, 1, false);

  /** The content of the file. */
  private record Owner(String host, long process, String started, String since, String token) {
    static Owner here() {
      ProcessHandle self = ProcessHandle.current();
      return new Owner(
          HOST,
          self.pid(),
          start(self),
          Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
          UUID.randomUUID().toString());
    }

    private static String start(ProcessHandle process) {
      return process.info().startInstant().map(Instant::toString).orElse("unknown");
    }

    /** The owner that some bytes name; empty if there is none, also if it was written in part. */
    static Optional<Owner> parse(String text) {
      try {
        JsonNode fields = Json.MAPPER.readTree(text);
        return fields.path("token").isTextual()
            ? Optional.of(
                new Owner(
                    fields.path("host").asText(),
                    fields.path("process").asLong(),
                    fields.path("started").asText(),
                    fields.path("since").asText(),
                    fields.path("token").asText()))
            : Optional.empty();
      } catch (JsonProcessingException incomplete) {
        return Optional.empty();
      }
    }

    boolean isOnThisHost() {
      return host.equals(HOST);
    }

    boolean isThisProcess() {
      return isOnThisHost() && process == ProcessHandle.current().pid();
    }

    boolean isAlive() {
      return ProcessHandle.of(process)
          .filter(ProcessHandle::isAlive)
          .filter(found -> start(found).equals(started))
          .isPresent();
    }

    ByteBuffer bytes() {
      try {
        return ByteBuffer.wrap(
            (Json.MAPPER.writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (JsonProcessingException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    @Override
    public String toString() {
      return "process " + process + (isOnThisHost() ? "" : " on host " + host) + " since " + since;
    }
  }

  private static final String HOST = host();

  private final Path directory;
  private final Path file;
  private final Path key;
  private final FileChannel channel;
  private final Owner owner;
  private final @Nullable Object fileKey; // null where file systems have none
  private boolean closed;

  private DirectoryLock(Path directory, Path key, FileChannel channel, Owner owner)
      throws IOException {
    this.directory = directory;
    this.file = directory.resolve(FILE);
    this.key = key;
    this.channel = channel;
    this.owner = owner;
    this.fileKey = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /**
   * Takes the right to write in a directory.
   *
   * @param directory that exists
   * @return the lock; the caller closes it when it writes no more
   * @throws ConfigException if another process, or another part of this one, has the right
   */
  public static DirectoryLock acquire(Path directory) {
    return acquire(directory, SYSTEM);
  }

  static synchronized DirectoryLock acquire(Path directory, SystemLock system) {
    Path file = directory.resolve(FILE);
    try {
      Path key = directory.toRealPath();
      DirectoryLock own = HELD.get(key);
      if (own != null) {
        // Opening and closing the file would release the lock of this process on many platforms.
        throw refusal(directory, "this process since " + own.owner.since());
      }
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        DirectoryLock lock = own(directory, key, channel, system);
        HELD.put(key, lock);
        Heart.start();
        return lock;
      } catch (IOException | RuntimeException refused) {
        channel.close();
        throw refused;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot lock " + file, failure);
    }
  }

  private static DirectoryLock own(Path directory, Path key, FileChannel channel, SystemLock system)
      throws IOException {
    boolean locks = true;
    boolean free;
    try {
      free = system.of(channel) != null;
    } catch (OverlappingFileLockException held) {
      free = false;
    } catch (IOException unsupported) {
      locks = false;
      free = true;
    }
    Optional<Owner> before = Owner.parse(content(channel));
    if (!free || (before.isPresent() && isPresent(before.get(), directory))) {
      throw refusal(directory, before.map(Owner::toString).orElse("another process"));
    }
    Owner owner = Owner.here();
    write(channel, owner);
    if (!locks) {
      requireLast(directory, channel, owner);
    }
    return new DirectoryLock(directory, key, channel, owner);
  }

  /** Of processes that write at the same moment without a lock, the last one is the owner. */
  private static void requireLast(Path directory, FileChannel channel, Owner owner)
      throws IOException {
    try {
      Thread.sleep(SETTLE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    String now = content(channel);
    if (!Owner.parse(now).equals(Optional.of(owner))) {
      throw refusal(directory, Owner.parse(now).map(Owner::toString).orElse("another process"));
    }
  }

  /** Whether the process that a file names still works, as far as can be seen from here. */
  private static boolean isPresent(Owner owner, Path directory) throws IOException {
    if (owner.isThisProcess()) {
      return false; // it would be among the locks that are held
    }
    return owner.isOnThisHost() ? owner.isAlive() : beats(directory);
  }

  /** Whether the file was written lately, by the clock of the file system. */
  private static boolean beats(Path directory) throws IOException {
    Path probe = Files.createTempFile(directory, "." + FILE, null);
    try {
      Duration age =
          Duration.between(
              Files.getLastModifiedTime(directory.resolve(FILE)).toInstant(),
              Files.getLastModifiedTime(probe).toInstant());
      return age.compareTo(PATIENCE) < 0;
    } finally {
      Files.delete(probe);
    }
  }

  private static ConfigException refusal(Path directory, String owner) {
    return new ConfigException(
        "%s is in use by %s; wait until it ends, or use another directory"
            .formatted(directory, owner));
  }

  private static String content(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  private static void write(FileChannel channel, Owner owner) throws IOException {
    ByteBuffer bytes = owner.bytes();
    int length = bytes.remaining();
    channel.write(bytes, 0);
    channel.truncate(length);
  }

  /**
   * Refuses to go on if the directory was deleted, or taken over while this process was paused.
   *
   * @throws UncheckedIOException if this process must no longer write in the directory
   */
  public synchronized void requireHeld() {
    String problem = problem();
    if (problem != null) {
      throw new UncheckedIOException(
          "%s %s while this process worked in it".formatted(directory, problem),
          new IOException("nothing more is written there"));
    }
  }

  private @Nullable String problem() {
    try {
      Object now = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      if (!Objects.equals(now, fileKey)) {
        return "was replaced";
      }
      Optional<Owner> found = Owner.parse(content(channel));
      return found.isEmpty() || found.get().equals(owner)
          ? null
          : "was taken over by " + found.get();
    } catch (NoSuchFileException gone) {
      return "was deleted or moved";
    } catch (IOException unknown) {
      return null; // the next write says more
    }
  }

  /** Shows other hosts that the owner is still there. */
  private synchronized void beat() {
    if (!closed && problem() == null) {
      try {
        write(channel, owner);
      } catch (IOException unwritable) {
        // the work fails with a message of its own
      }
    }
  }

  /** Gives the right back; may be called again. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (channel) {
      if (problem() == null) {
        channel.truncate(0);
      }
    } catch (IOException failure) {
      // The process goes on or ends; an owner that is gone is taken over.
    } finally {
      HELD.remove(key);
    }
  }

  /** Writes the files of all held locks again every few seconds. */
  private static final class Heart {
    private static @Nullable Thread thread;

    static void start() {
      if (thread == null || !thread.isAlive()) {
        thread = new Thread(Heart::run, "quantail-locks");
        thread.setDaemon(true);
        thread.start();
      }
    }

    private static void run() {
      try {
        while (true) {
          Thread.sleep(BEAT.toMillis());
          HELD.values().forEach(DirectoryLock::beat);
        }
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Without a name service, which may take seconds to answer. */
  private static String host() {
    try {
      String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      if (!name.isEmpty()) {
        return name;
      }
    } catch (IOException otherPlatform) {
      // the next way
    }
    String name = System.getenv("COMPUTERNAME");
    if (name != null && !name.isBlank()) {
      return name;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "unknown";
    }
  }
}

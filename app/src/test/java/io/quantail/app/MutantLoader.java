package io.quantail.app;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Loads the program again with one class replaced; libraries come from the parent loader. */
public final class MutantLoader extends URLClassLoader {
  private static final String OURS = "io.quantail.";
  private static final String VECTORS = "jdk.incubator.vector";

  /** Disables vector instructions in a JVM that supports them. */
  private static final Mutant NO_VECTORS =
      Mutant.of(
          "no vector instructions",
          MutantSubject.QUANTILE,
          "",
          "simd/VectorSupport",
          "return hasModule() && Probe.eightLanes();",
          "return false;");

  private MutantLoader(URL[] places) {
    super(places, MutantLoader.class.getClassLoader());
  }

  /**
   * The program without a fault.
   *
   * @param vectors whether loops in vector instructions may be used
   */
  static MutantLoader healthy(boolean vectors, Path root, Path directory) throws IOException {
    return new MutantLoader(places(withoutVectors(vectors, root, directory)));
  }

  /** The program with a fault and the loops that contain it. */
  public static MutantLoader of(Mutant mutant, Path root, Path directory) throws IOException {
    return of(mutant, mutant.loops() != Mutant.Loops.PLAIN, root, directory);
  }

  /**
   * @param vectors whether loops in vector instructions may be used
   * @param directory where the class is compiled to
   */
  public static MutantLoader of(Mutant mutant, boolean vectors, Path root, Path directory)
      throws IOException {
    Path fault = directory.resolve("fault");
    if (!Files.isDirectory(fault)) {
      compile(List.of(mutant), root, List.of(fault));
    }
    List<Path> first = new ArrayList<>(List.of(fault));
    first.addAll(withoutVectors(vectors, root, directory));
    return new MutantLoader(places(first));
  }

  /** A class that reports a JVM without vector instructions, unless they may be used. */
  private static List<Path> withoutVectors(boolean vectors, Path root, Path directory)
      throws IOException {
    if (vectors) {
      return List.of();
    }
    Path plain = directory.resolve("plain");
    if (!Files.isDirectory(plain)) {
      compile(List.of(NO_VECTORS), root, List.of(plain));
    }
    return List.of(plain);
  }

  /**
   * Compiles many faults before {@link #of} is called. Faults of different classes are compiled
   * together, which is much faster.
   *
   * @return the directory of each fault
   */
  static Map<Mutant, Path> compileAll(List<Mutant> mutants, Path root, Path directory)
      throws IOException {
    Map<Mutant, Path> directories = new LinkedHashMap<>();
    Map<String, Integer> seen = new HashMap<>(); // faults of a class so far
    Map<Integer, List<Mutant>> rounds = new TreeMap<>();
    for (Mutant mutant : mutants) {
      directories.put(mutant, directory.resolve("fault" + directories.size()));
      int round = seen.merge(mutant.file(), 1, Integer::sum);
      rounds.computeIfAbsent(round, any -> new ArrayList<>()).add(mutant);
    }
    for (List<Mutant> round : rounds.values()) {
      compile(
          round, root, round.stream().map(one -> directories.get(one).resolve("fault")).toList());
    }
    return directories;
  }

  /** Compiles faults of different classes; each directory gets the files of one class. */
  private static void compile(List<Mutant> mutants, Path root, List<Path> targets)
      throws IOException {
    Path scratch = Files.createDirectories(targets.get(0).resolveSibling("scratch"));
    List<Path> sources = new ArrayList<>();
    for (Mutant mutant : mutants) {
      Path source = scratch.resolve("source").resolve(mutant.type() + ".java");
      Files.createDirectories(source.getParent());
      Files.writeString(source, mutant.source(root));
      sources.add(source);
    }
    Path classes = Files.createDirectories(scratch.resolve("classes"));
    compile(sources, classes);
    for (int i = 0; i < mutants.size(); i++) {
      take(mutants.get(i), classes, targets.get(i));
    }
  }

  private static void compile(List<Path> sources, Path classes) throws IOException {
    List<String> options = new ArrayList<>();
    options.addAll(List.of("-proc:none", "-nowarn", "-implicit:none", "-d", classes.toString()));
    options.addAll(List.of("-cp", System.getProperty("java.class.path")));
    if (ModuleLayer.boot().findModule(VECTORS).isPresent()) {
      options.addAll(List.of("--add-modules", VECTORS));
    }
    StringWriter messages = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  options,
                  null,
                  files.getJavaFileObjects(sources.toArray(Path[]::new)))
              .call();
      if (!compiled) {
        throw new AssertionError("a mutant has to be updated, it does not compile: " + messages);
      }
    }
  }

  /** Copies the faulty class with its nested classes. */
  private static void take(Mutant mutant, Path classes, Path target) throws IOException {
    Path own = Path.of("io/quantail").resolve(mutant.type()).getParent();
    Files.createDirectories(target.resolve(own));
    try (Stream<Path> compiled = Files.list(classes.resolve(own))) {
      for (Path file : compiled.toList()) {
        String name = file.getFileName().toString();
        String simple = mutant.simpleName();
        if (name.equals(simple + ".class") || name.startsWith(simple + "$")) {
          Files.copy(file, target.resolve(own).resolve(name));
        }
      }
    }
  }

  /** The mutated class first, then our own classes; jars are left to the parent loader. */
  private static URL[] places(List<Path> first) {
    List<Path> places = new ArrayList<>(first);
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(place -> Files.isDirectory(place) || place.toString().contains("quantail-"))
        .forEach(places::add);
    return places.stream().map(MutantLoader::url).toArray(URL[]::new);
  }

  private static URL url(Path place) {
    try {
      return place.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> found = findLoadedClass(name);
      return found == null ? findClass(name) : found;
    }
  }

  /**
   * Opens a separate jar file. The inherited method closes the shared one together with this
   * loader, while other loaders still read from it.
   */
  @Override
  public InputStream getResourceAsStream(String name) {
    URL place = getResource(name);
    if (place == null) {
      return null;
    }
    try {
      URLConnection connection = place.openConnection();
      connection.setUseCaches(false);
      return connection.getInputStream();
    } catch (IOException unreadable) {
      return null;
    }
  }

  /**
   * Audits a subject with the classes of this loader.
   *
   * @param checks names of the checks to run; empty for all
   * @return one line for each check, its status first
   */
  String[] audit(MutantSubject subject, List<String> checks) throws ReflectiveOperationException {
    return call("run", subject.settings().toArray(String[]::new), checks.toArray(String[]::new));
  }

  /** One line for each check of a subject: its name, then the classes that it exercises. */
  String[] exercised(MutantSubject subject) throws ReflectiveOperationException {
    return call("exercised", (Object) subject.settings().toArray(String[]::new));
  }

  /**
   * Calls the command with the classes of this loader.
   *
   * @return exit code, standard output and standard error
   */
  public String[] command(String... arguments) throws ReflectiveOperationException {
    return call("command", (Object) arguments);
  }

  /** Trains with the classes of this loader and returns the rules that raise an alert. */
  String[] alerts(List<String> settings, int updates) throws ReflectiveOperationException {
    return call("alerts", settings.toArray(String[]::new), updates);
  }

  private String[] call(String method, Object... arguments) throws ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(this);
    try {
      Method asked =
          Arrays.stream(loadClass(MutantAudit.class.getName()).getMethods())
              .filter(one -> one.getName().equals(method))
              .findFirst()
              .orElseThrow();
      return (String[]) asked.invoke(null, arguments);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}

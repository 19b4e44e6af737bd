package io.quantail.app;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Loads the program anew, with one class replaced; libraries stay those of the parent. */
final class MutantLoader extends URLClassLoader {
  private static final String OURS = "io.quantail.";
  private static final String VECTORS = "jdk.incubator.vector";

  private MutantLoader(URL[] places) {
    super(places, MutantLoader.class.getClassLoader());
  }

  /** The program without a fault. */
  static MutantLoader healthy() throws IOException {
    return new MutantLoader(places(List.of()));
  }

  /**
   * @param directory where the class is compiled to
   */
  static MutantLoader of(Mutant mutant, Path root, Path directory) throws IOException {
    String name = Path.of(mutant.file()).getFileName().toString();
    Path source = Files.createDirectories(directory.resolve("source")).resolve(name);
    Files.writeString(source, mutant.source(root));
    Path classes = Files.createDirectories(directory.resolve("classes"));
    compile(mutant, source, classes);
    return new MutantLoader(places(List.of(classes)));
  }

  private static void compile(Mutant mutant, Path source, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options = new ArrayList<>();
    options.addAll(List.of("-proc:none", "-nowarn", "-d", classes.toString()));
    options.addAll(List.of("-cp", System.getProperty("java.class.path")));
    if (ModuleLayer.boot().findModule(VECTORS).isPresent()) {
      options.addAll(List.of("--add-modules", VECTORS));
    }
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
              .call();
      if (!compiled) {
        throw new AssertionError(
            "the mutant '%s' has to be updated, it does not compile: %s"
                .formatted(mutant, messages));
      }
    }
  }

  /** The mutated class first, then our own classes; jars stay with the parent. */
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
   * Audits a subject with the classes of this loader.
   *
   * @param checks names of those to carry out; empty for all
   * @return one line a check, its verdict first
   */
  String[] audit(MutantSubject subject, List<String> checks) throws ReflectiveOperationException {
    return ask("run", subject.settings().toArray(String[]::new), checks.toArray(String[]::new));
  }

  /**
   * Calls the command with the classes of this loader.
   *
   * @return exit code, standard output and standard error
   */
  String[] command(String... arguments) throws ReflectiveOperationException {
    return ask("command", (Object) arguments);
  }

  /** Trains with the classes of this loader and returns the rules that raise an alert. */
  String[] alerts(List<String> settings, int updates) throws ReflectiveOperationException {
    return ask("alerts", settings.toArray(String[]::new), updates);
  }

  private String[] ask(String method, Object... arguments) throws ReflectiveOperationException {
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
